//! A site that answers as a case says: its names, its addresses, its bodies.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use countersign::fetch::address::{AddressGuard, Lookup, Resolve};
use countersign::fetch::clock::HeldClock;
use countersign::fetch::exchange::{Clock, Fetch, FetchError, Request, Response};
use serde_json::Value;

/// One request that was made.
#[derive(Clone, Debug)]
pub struct Seen {
    pub run: usize,
    pub url: String,
    pub at: String,
    pub headers: Vec<(String, String)>,
}

/// A site that answers from the case.
pub struct ScriptedSite {
    pub run: Mutex<usize>,
    pub answers: Mutex<BTreeMap<(usize, String), Vec<Value>>>,
    pub logic: Mutex<String>,
    pub guard: AddressGuard,
    pub clock: Arc<HeldClock>,
    pub seen: Mutex<Vec<Seen>>,
}

/// The case's resolver: a name has its addresses, `later answers` included; others are public.
pub struct ScriptedNames {
    pub names: BTreeMap<String, Vec<String>>,
    pub asked: Mutex<BTreeMap<String, usize>>,
}

impl Resolve for ScriptedNames {
    fn lookup(&self, host: &str) -> Lookup {
        let mut asked = self.asked.lock().unwrap();
        let times = asked.entry(host.to_owned()).or_default();
        *times += 1;
        let is_first = *times == 1;
        let stated = self.names.get(host).cloned().unwrap_or_else(|| vec!["93.184.216.99".into()]);
        let addresses = stated
            .iter()
            .flat_map(|it| match it.strip_prefix("first answer ") {
                Some(flip) => {
                    let (first, later) = flip.split_once(", later answers ").unwrap();
                    vec![if is_first { first.to_owned() } else { later.to_owned() }]
                }
                None => vec![it.clone()],
            })
            .map(|it| it.parse::<IpAddr>().unwrap())
            .collect();
        Box::pin(async move { Ok(addresses) })
    }
}

impl Fetch for ScriptedSite {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let url = request.url.clone();
        let host = url.host_str().unwrap().to_owned();
        let remote = self.guard.check(&host, request.private_addresses_are_allowed).await?[0];
        let run = *self.run.lock().unwrap();
        self.seen.lock().unwrap().push(Seen {
            run,
            url: url.to_string(),
            at: self.clock.now().to_string(),
            headers: request.headers.clone(),
        });
        tokio::task::yield_now().await;
        let answer = {
            let mut answers = self.answers.lock().unwrap();
            match answers.get_mut(&(run, url.to_string())) {
                Some(left) if left.len() > 1 => left.remove(0),
                Some(left) => left[0].clone(),
                None => return Ok(plain(404, remote)),
            }
        };
        self.answer(&answer, &request, remote)
    }
}

pub fn plain(status: u16, remote: IpAddr) -> Response {
    Response {
        status,
        headers: Vec::new(),
        body: Vec::new(),
        remote: Some(SocketAddr::new(remote, 443)),
    }
}

impl ScriptedSite {
    pub fn answer(
        &self,
        answer: &Value,
        request: &Request,
        remote: IpAddr,
    ) -> Result<Response, FetchError> {
        if let Some(logic) = answer["server_logic"].as_str() {
            let mut known = self.logic.lock().unwrap();
            if !logic.starts_with("same as") {
                *known = logic.to_owned();
            }
            let date = known.split('\'').nth(1).unwrap();
            let sent = request.headers.iter().find(|(name, _)| name == "if-modified-since");
            let is_fresh = sent.is_some_and(|(_, it)| http_date(it) >= http_date(date));
            let branch = if is_fresh { &answer["then"] } else { &answer["else"] };
            return self.answer(branch, request, remote);
        }
        match answer["fault"].as_str() {
            Some("timeout") => return Err(FetchError::TimedOut),
            Some(_) => return Err(FetchError::BodyIncomplete),
            None => {}
        }
        let mut response =
            plain(u16::try_from(answer["status"].as_u64().unwrap()).unwrap(), remote);
        for (name, value) in answer["headers"].as_object().into_iter().flatten() {
            response.headers.push((name.to_lowercase(), value.as_str().unwrap().to_owned()));
        }
        response.body = body_of(answer);
        if u64::try_from(response.body.len()).unwrap() > request.max_bytes {
            return Err(FetchError::TooLarge { limit: request.max_bytes });
        }
        Ok(response)
    }
}

pub fn http_date(text: &str) -> jiff::Timestamp {
    countersign::crawl::retry::read_http_date(text).unwrap()
}

pub fn body_of(answer: &Value) -> Vec<u8> {
    if let Some(text) = answer["body"].as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(text) = answer["body_b64"].as_str() {
        return base64(text);
    }
    if let Some(fixture) = answer["body_fixture"].as_str() {
        let text = fixture.strip_prefix("one_page_pdf: ").unwrap().trim_matches('\'');
        return one_page_pdf(text);
    }
    Vec::new()
}

pub fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    let (mut bits, mut held) = (0u32, 0u32);
    for digit in text.bytes().filter_map(|it| DIGITS.iter().position(|d| *d == it)) {
        bits = (bits << 6) | u32::try_from(digit).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from((bits >> held) & 0xff).unwrap());
        }
    }
    out
}

pub fn one_page_pdf(text: &str) -> Vec<u8> {
    let stream = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
    format!(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
         3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>endobj\n\
         4 0 obj<</Length {}>>stream\n{stream}\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
        stream.len()
    )
    .into_bytes()
}
