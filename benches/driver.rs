//! How well a run keeps a provider busy, and what an ask costs us: pages of one item each, a provider
//! on this machine that answers as the built-in rules do after `MS` milliseconds.
//! `cargo bench --bench driver [-- ITEMS MS IN_FLIGHT]`; 300 items, 200 ms and 50 if not given.
//!
//! The provider is this process, the run is a child of it, and the CPU and memory told are the
//! child's alone. Both share the machine's cores, so the wall time of a run that is short of CPU is
//! the provider's doing too; its own CPU is told beside. `TMPDIR` says on which file system.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use countersign::ask::canonical::read_ask;
use countersign::fetch::loopback::{Edition, Loopback, Reply};
use countersign::reader::answerer::answer_by_rules;
use serde_json::{Value, json};

/// What the provider does and did.
struct Desk {
    wait: Duration,
    /// The project whose asks it is asked.
    root: OnceLock<PathBuf>,
    calls: AtomicU64,
    now: AtomicUsize,
    most: AtomicUsize,
    times: Mutex<Option<(Instant, Instant)>>,
}

/// What a process has used so far.
#[derive(Clone, Copy, Default)]
struct Used {
    user_s: f64,
    system_s: f64,
    now_mb: f64,
    peak_mb: f64,
}

impl Used {
    fn cpu_s(self) -> f64 {
        self.user_s + self.system_s
    }
}

/// The child at one moment.
struct Sample {
    at: Instant,
    calls: u64,
    used: Used,
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|it| it.parse::<u64>().ok());
    let items = numbers.next().unwrap_or(300);
    let wait = Duration::from_millis(numbers.next().unwrap_or(200));
    let in_flight = numbers.next().unwrap_or(50);
    let desk = Arc::new(Desk {
        wait,
        root: OnceLock::new(),
        calls: AtomicU64::new(0),
        now: AtomicUsize::new(0),
        most: AtomicUsize::new(0),
        times: Mutex::default(),
    });
    let base_url = provider(&desk);
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let site = BTreeMap::from([("bulk".to_owned(), edition(items))]);
    let server = runtime.block_on(Loopback::start(site, "bulk")).unwrap();
    write_project(folder.path(), &base_url, in_flight);
    desk.root.set(folder.path().to_owned()).unwrap();
    let place = format!("piers.example={}", server.address());
    command(folder.path(), &["crawl", "--connect-to", &place], &desk);

    let own_before = used(std::process::id()).unwrap_or_default();
    let (wall, samples) = command(folder.path(), &["run", "--no-crawl", "--yes"], &desk);
    let own = used(std::process::id()).unwrap_or_default().cpu_s() - own_before.cpu_s();
    let calls = desk.calls.load(Ordering::SeqCst);
    let (first, last) = desk.times.lock().unwrap().unwrap();
    let ideal = wait.as_secs_f64() * calls as f64 / in_flight as f64;
    let whole = samples.last().unwrap().used;
    let at = |time: Instant| {
        let found = samples.iter().rfind(|it| it.at <= time).or(samples.first());
        found.unwrap().used
    };
    let per_ask = |seconds: f64| seconds * 1000.0 / calls as f64;
    let (asked, before) = (at(last), at(first));
    println!("{items} items, {calls} asks, {} ms each, {in_flight} in flight", wait.as_millis());
    println!("most in flight   {}", desk.most.load(Ordering::SeqCst));
    println!("first to last    {:.2} s  (ideal {ideal:.2} s)", (last - first).as_secs_f64());
    println!("whole run        {wall:.2} s");
    println!(
        "our CPU an ask   {:.2} ms from first to last ask ({:.2} user, {:.2} system)",
        per_ask(asked.cpu_s() - before.cpu_s()),
        per_ask(asked.user_s - before.user_s),
        per_ask(asked.system_s - before.system_s)
    );
    println!(
        "                 {:.2} ms of the whole run ({:.2} user, {:.2} system): plan and papers too",
        per_ask(whole.cpu_s()),
        per_ask(whole.user_s),
        per_ask(whole.system_s)
    );
    print!("memory, MB       {:.0} at the first ask", before.now_mb);
    for quarter in 1..=4 {
        let until = calls * quarter / 4;
        let used = samples.iter().find(|it| it.calls >= until).map_or(asked, |it| it.used);
        print!(", {:.0} at {}%", used.now_mb, quarter * 25);
    }
    println!("; peak {:.0} with the papers", whole.peak_mb);
    println!("provider's CPU   {:.2} ms an ask, on the same cores", per_ask(own));
}

/// Starts the provider, a thread a connection; its base address.
fn provider(desk: &Arc<Desk>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let desk = Arc::clone(desk);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let desk = Arc::clone(&desk);
            std::thread::spawn(move || serve(stream, &desk));
        }
    });
    format!("http://{address}/v1")
}

/// Answers one request after the other, until the other side closes.
fn serve(stream: TcpStream, desk: &Desk) {
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(body) = request(&mut reader) {
        let began = Instant::now();
        let reply = answer(&body, began, desk);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            reply.len()
        );
        if stream.write_all((head + &reply).as_bytes()).is_err() {
            return;
        }
    }
}

/// The body of the next request.
fn request(reader: &mut BufReader<TcpStream>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// Answers by the rules, from the ask as it is on record.
fn answer(body: &Value, began: Instant, desk: &Desk) -> String {
    let now = desk.now.fetch_add(1, Ordering::SeqCst) + 1;
    desk.most.fetch_max(now, Ordering::SeqCst);
    let user = body.pointer("/messages/1/content").and_then(Value::as_str).unwrap();
    let mark = user.split("quoted-").nth(1).and_then(|it| it.get(..16)).unwrap();
    let folder = desk.root.get().unwrap().join("asks").join(&mark[..2]);
    let names = fs::read_dir(&folder).unwrap().flatten();
    let mut names = names.map(|it| it.file_name().into_string().unwrap());
    let name = names.find(|it| it.starts_with(mark) && it.ends_with(".ask.json")).unwrap();
    let text = fs::read_to_string(folder.join(&name)).unwrap();
    let digest = name.trim_end_matches(".ask.json");
    let reply = answer_by_rules(&read_ask(&text, digest).unwrap(), digest).unwrap().reply;
    std::thread::sleep(desk.wait.saturating_sub(began.elapsed()));
    desk.now.fetch_sub(1, Ordering::SeqCst);
    desk.calls.fetch_add(1, Ordering::SeqCst);
    let mut times = desk.times.lock().unwrap();
    let (first, last) = times.get_or_insert((began, began));
    (*first, *last) = ((*first).min(began), Instant::now());
    json!({
        "model": "bench",
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": reply}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
    })
    .to_string()
}

fn edition(items: u64) -> Edition {
    let page = |title: &str, body: &str| Reply {
        status: 200,
        content_type: "text/html; charset=utf-8".to_owned(),
        body: format!("<title>{title}</title><main><h1>{title}</h1>{body}</main>").into_bytes(),
        ..Reply::default()
    };
    let mut links = String::new();
    let mut replies = BTreeMap::new();
    for at in 0..items {
        let _ = write!(links, "<p><a href=\"/pier/{at}\">Pier {at}</a></p>");
        let body = format!(
            "<p>A berth holder at pier {at} must be aged {} or over. The yearly fee is ${}.</p>",
            18 + at % 40,
            200 + at
        );
        replies.insert(format!("/pier/{at}"), page(&format!("Berths at pier {at}"), &body));
    }
    replies.insert("/".to_owned(), page("All piers", &links));
    Edition { replies, not_found: Reply { status: 404, ..Reply::default() } }
}

fn write_project(root: &Path, base_url: &str, in_flight: u64) {
    let reader = format!(
        "answerer = \"http\"\nmodel = \"bench\"\nbase_url = \"{base_url}\"\nkey_env = \"BENCH_KEY\"\n\
         concurrency = {in_flight}\n"
    );
    let settings = format!("name = \"Bench\"\n[extractor]\n{reader}\n[reviewer]\n{reader}");
    fs::write(root.join("countersign.toml"), settings).unwrap();
    fs::write(
        root.join("prices.toml"),
        "[bench]\ninput_per_million = \"0\"\noutput_per_million = \"0\"\ncurrency = \"USD\"\n\
         as_of = \"2026-11-30\"\nsource = \"the bench's own\"\n",
    )
    .unwrap();
    fs::create_dir_all(root.join("sources")).unwrap();
    fs::write(
        root.join("sources/piers.toml"),
        "id = \"piers\"\ntitle = \"Piers\"\nlanguage = \"en\"\nstart = [\"http://piers.example/\"]\n\
         content = [\"main\"]\nfollow_links = true\nprivate_hosts = [\"piers.example\", \"127.0.0.1\"]\n\
         items = { rule = \"page\" }\n[politeness]\ndelay_ms = 0\nconcurrency = 8\nmax_pages = 50000\n\
         [[fields]]\nname = \"age\"\ntype = \"number\"\ndescription = \"Age in years.\"\n\
         [[fields]]\nname = \"fee\"\ntype = \"money\"\ndescription = \"What is to be paid.\"\n",
    )
    .unwrap();
}

/// Wall seconds of a run of the program, and what it used on the way.
fn command(root: &Path, args: &[&str], desk: &Desk) -> (f64, Vec<Sample>) {
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["--project", root.to_str().unwrap(), "--no-progress", "-q"])
        .args(args)
        .env("BENCH_KEY", "none")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut samples = vec![Sample { at: began, calls: 0, used: Used::default() }];
    while child.try_wait().unwrap().is_none() {
        if let Some(used) = used(child.id()) {
            let calls = desk.calls.load(Ordering::SeqCst);
            samples.push(Sample { at: Instant::now(), calls, used });
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    (began.elapsed().as_secs_f64(), samples)
}

/// What a process has used so far; nothing where the system does not tell.
fn used(process: u32) -> Option<Used> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    // Clock ticks, of which Linux tells a hundred a second.
    let seconds = |at: usize| Some(fields.get(at)?.parse::<f64>().ok()? / 100.0);
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let megabytes = |name: &str| {
        let line = status.lines().find(|it| it.starts_with(name))?;
        Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
    };
    Some(Used {
        user_s: seconds(11)?,
        system_s: seconds(12)?,
        now_mb: megabytes("VmRSS:")?,
        peak_mb: megabytes("VmHWM:")?,
    })
}
