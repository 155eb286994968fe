//! A server that a test writes itself: any header, any order of answers, and silence at one request.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Path and query as sent.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    raw: Vec<u8>,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }
}

/// What is said to it.
pub enum Answer {
    Reply {
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    },
    /// What the server there says.
    From(SocketAddr),
    /// Nothing, until the other side has gone.
    Silence,
}

/// Serves on a free port of 127.0.0.1 for the rest of the process; one request a connection.
pub fn serve(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            // A client that has gone is no matter of the server's.
            thread::spawn(move || speak(stream, &*answer));
        }
    });
    address
}

fn speak(mut stream: TcpStream, answer: &dyn Fn(&Asked) -> Answer) -> std::io::Result<()> {
    let Some(asked) = read_head(&mut stream)? else { return Ok(()) };
    match answer(&asked) {
        Answer::Silence => {
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest)?;
        }
        Answer::From(place) => {
            let mut other = TcpStream::connect(place)?;
            let text = String::from_utf8_lossy(&asked.raw).into_owned();
            other.write_all(text.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes())?;
            let mut bytes = Vec::new();
            other.read_to_end(&mut bytes)?;
            stream.write_all(&bytes)?;
        }
        Answer::Reply { status, headers, body } => {
            let mut head = format!("HTTP/1.1 {status} Said\r\n");
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            if status != 304 {
                head.push_str(&format!("Content-Length: {}\r\n", body.len()));
            }
            head.push_str("Connection: close\r\n\r\n");
            stream.write_all(head.as_bytes())?;
            stream.write_all(&body)?;
        }
    }
    Ok(())
}

fn read_head(stream: &mut TcpStream) -> std::io::Result<Option<Asked>> {
    let (mut raw, mut byte) = (Vec::new(), [0_u8]);
    while !raw.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte)? == 0 {
            return Ok(None);
        }
        raw.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&raw).into_owned();
    let mut lines = text.lines();
    let path = lines.next().and_then(|it| it.split(' ').nth(1)).unwrap_or_default().to_owned();
    let headers = lines
        .filter_map(|it| it.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Ok(Some(Asked { path, headers, raw }))
}
