//! A provider that plays what a test tells it to and remembers every request. Loopback only.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// One request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    /// From 0, in the order of arrival.
    pub number: usize,
    /// Request line and headers.
    pub head: String,
    /// Null where it is not JSON.
    pub body: Value,
    /// As it came.
    pub raw: String,
}

impl Seen {
    /// Instructions, in any of the dialects.
    pub fn system(&self) -> &str {
        self.text_at(&["/messages/0/content", "/systemInstruction/parts/0/text"], "/system/0/text")
    }

    /// The item's message, in any of the dialects.
    pub fn user(&self) -> &str {
        let alone = self.body.get("system").and(self.body.pointer("/messages/0/content"));
        alone
            .and_then(Value::as_str)
            .unwrap_or_else(|| self.text_at(&["/messages/1/content"], "/contents/0/parts/0/text"))
    }

    fn text_at(&self, others: &[&str], first: &str) -> &str {
        let mut paths = std::iter::once(&first).chain(others);
        paths.find_map(|it| self.body.pointer(it)?.as_str()).unwrap_or_default()
    }

    pub fn schema_name(&self) -> &str {
        self.body
            .pointer("/response_format/json_schema/name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The request line's second word.
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    /// The first digits of the ask's digest, which mark the quotation.
    pub fn mark(&self) -> &str {
        self.user().split("quoted-").nth(1).and_then(|it| it.get(..16)).unwrap_or_default()
    }
}

/// What the provider does with a request.
pub enum Play {
    /// Status, further header lines (each ending in `\r\n`), body.
    Reply(u16, String, String),
    /// Says nothing for so long, then closes.
    Silence(Duration),
}

/// A whole reply with usage reported.
pub fn completion(content: &str, finish: &str) -> Play {
    let body = json!({
        "model": "house-model-2026",
        "choices": [{"index": 0, "finish_reason": finish,
            "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100,
            "prompt_tokens_details": {"cached_tokens": 0}},
    });
    Play::Reply(200, String::new(), body.to_string())
}

/// A failure with the provider's words.
pub fn failure(status: u16, headers: &str, message: &str) -> Play {
    let body = json!({"error": {"message": message, "type": "mock"}});
    Play::Reply(status, headers.to_owned(), body.to_string())
}

/// The running provider.
pub struct Provider {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Provider {
    pub fn start(play: impl Fn(&Seen) -> Play + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (log, play) = (Arc::clone(&seen), Arc::new(play));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, play) = (Arc::clone(&log), Arc::clone(&play));
                std::thread::spawn(move || serve(stream, &log, &*play));
            }
        });
        Self { address, seen }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, log: &Mutex<Vec<Seen>>, play: &dyn Fn(&Seen) -> Play) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let raw = String::from_utf8_lossy(&body).into_owned();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let seen = {
        let mut log = log.lock().unwrap();
        let seen = Seen { number: log.len(), head, body, raw };
        log.push(seen.clone());
        seen
    };
    let mut stream = stream;
    match play(&seen) {
        Play::Reply(status, headers, body) => {
            let _ = write!(
                stream,
                "HTTP/1.1 {status} Played\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
                body.len()
            );
        }
        Play::Silence(time) => std::thread::sleep(time),
    }
}
