//! What would look like success: a key that goes elsewhere, tokens that seem free, tries nobody counted.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use countersign::llm::answerer::AnswerError;
use countersign::model::config::Dialect;
use rust_decimal::Decimal;
use serde_json::Value;

use crate::asks::provider::{Play, Provider, Seen, completion};
use crate::asks::{
    FOREVER, KEY, PRICES, by_rules, for_project, run_with_key, with_model, words_of,
};
use crate::dialects::asked_plainly;
use crate::run::{number, summary};

const ALL: [Dialect; 5] =
    [Dialect::Compatible, Dialect::OpenAi, Dialect::Azure, Dialect::Anthropic, Dialect::Gemini];

#[test]
fn a_redirect_is_not_followed_so_the_key_stays_where_it_belongs() {
    for dialect in ALL {
        for status in [301, 302, 303, 307, 308] {
            let other = Provider::start(|_| completion("{\"rows\":[],\"groups\":[]}", "stop"));
            let location = format!("location: {}/chat/completions\r\n", other.base_url());
            let first =
                Provider::start(move |_| Play::Reply(status, location.clone(), String::new()));
            let error = asked_plainly(dialect, &first).unwrap_err();
            assert!(
                matches!(&error, AnswerError::Rejected { detail } if detail.contains("base_url"))
            );
            assert_eq!(other.seen().len(), 0, "{dialect:?} {status}");
            assert_eq!(first.seen().len(), 1, "not tried again");
        }
    }
}

#[test]
fn a_proxy_of_the_environment_never_sees_an_unencrypted_key() {
    let proxy = Provider::start(|_| completion("{\"rows\":[],\"groups\":[]}", "stop"));
    let (provider, root) = for_project(by_rules);
    let project = with_model(&provider, "");
    root.set(project.path().to_owned()).unwrap();
    let place = format!("harbour.example={}", project.site.address());
    let mut command = project.command(&["run", "harbour-en", "--connect-to", &place]);
    let address = proxy.base_url().trim_end_matches("/v1").to_owned();
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    {
        command.env(name, &address);
    }
    command.env_remove("no_proxy").env_remove("NO_PROXY");
    let output = command.env("MOCK_KEY", KEY).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", words_of(&output));
    assert!(!provider.seen().is_empty());
    assert!(proxy.seen().iter().all(|it| !it.head.contains(KEY) && !it.raw.contains("quoted-")));
}

#[test]
fn tokens_that_are_not_reported_or_said_to_be_none_are_not_free() {
    for usage in [
        "",
        r#","usage":null"#,
        r#","usage":{}"#,
        r#","usage":{"prompt_tokens":0,"completion_tokens":0}"#,
        r#","usage":{"prompt_tokens":900}"#,
        r#","usage":{"prompt_tokens":900,"completion_tokens":0}"#,
        r#","usage":{"prompt_tokens":"many","completion_tokens":7}"#,
    ] {
        let (provider, root) = for_project(move |root, seen| {
            let Play::Reply(status, head, body) = by_rules(root, seen) else { unreachable!() };
            let mut body: Value = serde_json::from_str(&body).unwrap();
            body.as_object_mut().unwrap().remove("usage");
            let text = body.to_string();
            Play::Reply(status, head, format!("{}{usage}}}", &text[..text.len() - 1]))
        });
        let project = with_model(&provider, "[budget]\nmax_cost = \"0.2\"\n");
        root.set(project.path().to_owned()).unwrap();
        let output = run_with_key(&project, &[]);
        let told = summary(&output);
        assert_eq!(output.status.code(), Some(5), "{usage}: {}", words_of(&output));
        let steps = &told["cost"]["steps"]["extract"];
        assert_eq!(number(steps, "/unreported"), number(steps, "/calls"), "{usage}: {told}");
        assert!(number(steps, "/input") > 500 * number(steps, "/calls"), "{usage}: {told}");
        assert!(number(steps, "/output") > 0, "{usage}: {told}");
    }
}

/// The most that a request could have cost, at 2 for a million tokens in and 10 out.
fn worst(seen: &Seen) -> Decimal {
    let letters = seen.system().len() + seen.user().len();
    let output = seen.body["max_tokens"].as_u64().unwrap();
    (Decimal::from(letters / 4) * Decimal::TWO + Decimal::from(output) * Decimal::TEN)
        / Decimal::from(1_000_000)
}

#[test]
fn a_try_that_timed_out_may_be_charged_and_is_counted_before_the_next_one() {
    tries_count(FOREVER);
}

#[test]
fn a_try_whose_connection_was_lost_may_be_charged_and_is_counted_before_the_next_one() {
    tries_count(Duration::ZERO);
}

/// A provider that takes each request and closes after `silence` without a word.
fn tries_count(silence: Duration) {
    let limit = Decimal::new(2, 1);
    let silent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&silent);
    let (provider, root) = for_project(move |_, _| {
        count.fetch_add(1, Ordering::SeqCst);
        Play::Silence(silence)
    });
    let project = with_model(&provider, &format!("[budget]\nmax_cost = \"{limit}\"\n"));
    root.set(project.path().to_owned()).unwrap();
    let file = project.path().join("countersign.toml");
    let settings = fs::read_to_string(&file).unwrap();
    project.settings(&settings.replace("key_env", "timeout_s = 1\nkey_env"));
    let output = run_with_key(&project, &[]);
    assert!(matches!(output.status.code(), Some(5 | 7)), "{}", words_of(&output));
    let seen = provider.seen();
    let sum: Decimal = seen.iter().map(worst).sum();
    assert!(seen.len() > 1 && sum <= limit, "{} tries, {sum}", seen.len());
}

#[test]
fn a_price_that_was_looked_up_long_ago_is_said_in_both_languages() {
    let (provider, root) = for_project(by_rules);
    let project = with_model(&provider, "");
    root.set(project.path().to_owned()).unwrap();
    let place = format!("harbour.example={}", project.site.address());
    let crawled = project.command(&["crawl", "harbour-en", "--connect-to", &place]).output();
    assert_eq!(crawled.unwrap().status.code(), Some(3));
    for (day, is_old) in [("2026-01-05", false), ("2019-03-01", true)] {
        fs::write(project.path().join("prices.toml"), PRICES.replace("2026-11-30", day)).unwrap();
        let output = project
            .command(&["estimate", "harbour-en"])
            .env("COUNTERSIGN_NOW", "2026-02-01T00:00:00Z")
            .output()
            .unwrap();
        let told = summary(&output);
        let says = |key: &str, words: &str| told[key].to_string().contains(words);
        assert_eq!(says("assumptions", "look it up again"), is_old, "{told}");
        assert_eq!(says("assumptions_zh", "請重新查詢"), is_old, "{told}");
    }
}
