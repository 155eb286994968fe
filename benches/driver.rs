//! How well a run keeps a provider busy, and what an ask costs us: pages of one item each, a provider
//! on this machine that answers as the built-in rules do after `MS` milliseconds.
//! `cargo bench --bench driver [-- ITEMS MS IN_FLIGHT]`; 300 items, 200 ms and 50 if not given.
#![allow(clippy::unwrap_used)]

#[path = "../tests/support/provider.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod provider;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use countersign::ask::canonical::read_ask;
use countersign::fetch::loopback::{Edition, Loopback, Reply};
use countersign::reader::answerer::answer_by_rules;
use provider::{Play, Provider, Seen, completion};

/// What the provider did.
#[derive(Default)]
struct Tally {
    calls: AtomicU64,
    now: AtomicUsize,
    most: AtomicUsize,
    /// Nanoseconds that the provider itself worked.
    worked: AtomicU64,
    first: Mutex<Option<Instant>>,
    last: Mutex<Option<Instant>>,
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|it| it.parse::<u64>().ok());
    let items = numbers.next().unwrap_or(300);
    let wait = Duration::from_millis(numbers.next().unwrap_or(200));
    let in_flight = numbers.next().unwrap_or(50);
    let tally: Arc<Tally> = Arc::default();
    let root: Arc<OnceLock<PathBuf>> = Arc::default();
    let (of, place) = (Arc::clone(&tally), Arc::clone(&root));
    let provider = Provider::start(move |seen| answer(seen, place.get().unwrap(), wait, &of));
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let site = BTreeMap::from([("bulk".to_owned(), edition(items))]);
    let server = runtime.block_on(Loopback::start(site, "bulk")).unwrap();
    write_project(folder.path(), &provider.base_url(), in_flight);
    root.set(folder.path().to_owned()).unwrap();
    let place = format!("piers.example={}", server.address());
    command(folder.path(), &["crawl", "--connect-to", &place]);

    let (wall, cpu, peak) = command(folder.path(), &["run", "--no-crawl", "--yes"]);
    let calls = tally.calls.load(Ordering::SeqCst);
    let asking = tally.last.lock().unwrap().unwrap() - tally.first.lock().unwrap().unwrap();
    let ideal = wait.as_secs_f64() * calls as f64 / in_flight as f64;
    let worked = Duration::from_nanos(tally.worked.load(Ordering::SeqCst));
    println!("{items} items, {calls} asks, {} ms each, {in_flight} in flight", wait.as_millis());
    println!("most in flight   {}", tally.most.load(Ordering::SeqCst));
    println!("first to last    {:.2} s  (ideal {ideal:.2} s)", asking.as_secs_f64());
    println!("whole run        {wall:.2} s  (peak {peak} MB)");
    println!("our CPU          {:.2} ms an ask", cpu * 1000.0 / calls as f64);
    println!("provider's work  {:.2} s, on the same machine", worked.as_secs_f64());
}

/// Answers by the rules, from the ask as it is on record.
fn answer(seen: &Seen, root: &Path, wait: Duration, tally: &Tally) -> Play {
    let began = Instant::now();
    tally.first.lock().unwrap().get_or_insert(began);
    let now = tally.now.fetch_add(1, Ordering::SeqCst) + 1;
    tally.most.fetch_max(now, Ordering::SeqCst);
    tally.calls.fetch_add(1, Ordering::SeqCst);
    let mark = seen.mark();
    let asks = fs::read_dir(root.join("asks").join(&mark[..2])).unwrap().flatten();
    let names = asks.map(|it| it.file_name().into_string().unwrap());
    let name = names.into_iter().find(|it| it.starts_with(mark) && it.ends_with(".ask.json"));
    let name = name.unwrap();
    let text = fs::read_to_string(root.join("asks").join(&mark[..2]).join(&name)).unwrap();
    let digest = name.trim_end_matches(".ask.json");
    let reply = answer_by_rules(&read_ask(&text, digest).unwrap(), digest).unwrap().reply;
    tally.worked.fetch_add(u64::try_from(began.elapsed().as_nanos()).unwrap(), Ordering::SeqCst);
    std::thread::sleep(wait.saturating_sub(began.elapsed()));
    tally.now.fetch_sub(1, Ordering::SeqCst);
    *tally.last.lock().unwrap() = Some(Instant::now());
    completion(&reply, "stop")
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

/// Wall seconds, CPU seconds and peak megabytes of a run of the program.
fn command(root: &Path, args: &[&str]) -> (f64, f64, u64) {
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["--project", root.to_str().unwrap(), "--no-progress", "-q"])
        .args(args)
        .env("BENCH_KEY", "none")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let (mut ticks, mut peak) = (0, 0);
    while child.try_wait().unwrap().is_none() {
        (ticks, peak) = used(child.id()).unwrap_or((ticks, peak));
        std::thread::sleep(Duration::from_millis(10));
    }
    (began.elapsed().as_secs_f64(), ticks as f64 / 100.0, peak)
}

/// Clock ticks and peak megabytes of a process so far; nothing where the system does not tell.
fn used(process: u32) -> Option<(u64, u64)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|it| it.starts_with("VmHWM:"))?;
    Some((ticks, line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024))
}
