//! The watched reviewer and the watch for orders to machines, on all pages of the corpora.

use std::collections::{BTreeMap, BTreeSet};

use countersign::ask::compose::{ItemView, Next, OpenAsk, Reader};
use countersign::ask::reply::parse_review_reply;
use countersign::extract::step::{Extraction, ItemInput, extract_item};
use countersign::gate::page::PageText;
use countersign::gate::scope::Scope;
use countersign::model::ask::{Answer, ReaderId, ReviewReply, ReviewVerdict, ReviewWord};
use countersign::model::item::Item;
use countersign::model::run::WatchCounts;
use countersign::model::source::Source;
use countersign::reader::answerer::answer_by_rules;
use countersign::review::step::{Review, ReviewInput, review_item};
use countersign::text::markers::machine::machine_directed;

use crate::gold::{TestPage, pages, shared, source};

const CORPORA: [&str; 3] = ["va", "twlaw", "twlaw_en"];

/// One page in so many is reviewed; all of them take a quarter of an hour unoptimised.
const EVERY: usize = 6;

/// Every page of a corpus that is a document.
fn all_pages(corpus: &str, source: &Source) -> Vec<TestPage> {
    let path = shared().join("corpus").join(corpus).join("bulk/routes.json");
    let routes: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let is_html = |it: &serde_json::Value| {
        it["type"].as_str().is_some_and(|it| it.starts_with("text/html")) && it["file"].is_string()
    };
    let keys: BTreeSet<String> = routes["routes"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, it)| is_html(it))
        .map(|(key, _)| key.clone())
        .collect();
    pages(corpus, source, &keys)
}

fn reader(name: &str) -> Reader {
    Reader {
        id: ReaderId { name: name.to_owned(), settings: BTreeMap::new() },
        instructions: String::new(),
    }
}

type Reply<'a> = &'a dyn Fn(&OpenAsk) -> Answer;

/// Both passes over an item: the rules extract, `reply` reviews.
fn review_of(
    page: &TestPage,
    indexed: &PageText,
    item: &Item,
    source: &Source,
    reply: Reply<'_>,
) -> Option<Review> {
    let scope = Scope {
        span: Some(item.span),
        page_title: &page.page.title,
        heading_path: &item.heading_path,
        fields: &source.fields,
        language: &source.language,
        ..Scope::default()
    };
    let view = ItemView {
        language: &source.language,
        fields: &source.fields,
        page_title: &page.page.title,
        heading_path: &item.heading_path,
        text: item.span.slice(&page.page.text)?,
    };
    let rules = reader("rules/1");
    let input = ItemInput { page: indexed, scope: &scope, view: &view, reader: &rules };
    let extraction: Extraction =
        answered(&by_rules, |recall| extract_item(&input, recall).unwrap());
    let reviewer = reader("house-model");
    let input = ReviewInput {
        page: indexed,
        scope: &scope,
        view: &view,
        reviewer: &reviewer,
        rows: &extraction.judgement.rows,
        groups: &extraction.groups,
    };
    Some(answered(reply, |recall| review_item(&input, recall).unwrap()))
}

fn by_rules(open: &OpenAsk) -> Answer {
    answer_by_rules(&open.ask, &open.digest).unwrap()
}

fn answered<T>(reply: Reply<'_>, step: impl Fn(&dyn Fn(&str) -> Option<Answer>) -> Next<T>) -> T {
    let mut answers: BTreeMap<String, Answer> = BTreeMap::new();
    loop {
        match step(&|digest| answers.get(digest).cloned()) {
            Next::Done(done) => return done,
            Next::Ask(open) => answers.insert(open.digest.clone(), reply(&open)),
        };
    }
}

fn with_reply(open: &OpenAsk, reply: &ReviewReply) -> Answer {
    Answer {
        answered_by: "house-model".to_owned(),
        reply: serde_json::to_string(reply).unwrap(),
        ..by_rules(open)
    }
}

/// Says yes to everything.
fn rubber_stamp(open: &OpenAsk) -> Answer {
    let verdicts = open.ask.rows.iter().map(|row| ReviewVerdict {
        id: row.id.clone(),
        verdict: ReviewWord::Confirmed,
        reason: String::new(),
        snippet: row.snippet.clone(),
        corrected: None,
    });
    with_reply(open, &ReviewReply { verdicts: verdicts.collect(), missing: vec![] })
}

/// Knows its work and errs as people do: now and then it doubts a right row, leaves a verdict out,
/// copies a quote wrongly, or passes over one false row that it sees when it looks again.
fn honest(open: &OpenAsk) -> Answer {
    let mut reply = parse_review_reply(&by_rules(open).reply, "stop").reply;
    let chance = |at: usize| usize::from_str_radix(&open.digest[at..at + 2], 16).unwrap();
    if open.ask.attempt == 1 {
        let n_rows = reply.verdicts.len().max(1);
        let at = chance(0) % n_rows;
        if let Some(verdict) = reply.verdicts.get_mut(at) {
            match chance(2) % 5 {
                0 if verdict.verdict == ReviewWord::Confirmed => {
                    verdict.verdict = ReviewWord::Unsure;
                    verdict.reason = "I cannot tell.".to_owned();
                }
                1 => verdict.snippet.push_str(" and so on"),
                2 => verdict.verdict = ReviewWord::Confirmed,
                3 => {
                    reply.verdicts.remove(at);
                }
                _ => {}
            }
        }
    }
    with_reply(open, &reply)
}

struct Seen {
    watch: WatchCounts,
    reviews: usize,
    rows: usize,
}

fn watch(reply: Reply<'_>) -> Seen {
    let mut seen = Seen { watch: WatchCounts::default(), reviews: 0, rows: 0 };
    for corpus in CORPORA {
        let source = source(corpus);
        for page in all_pages(corpus, &source).into_iter().step_by(EVERY) {
            let indexed = PageText::index(&page.page.text);
            for item in &page.page.items {
                let Some(review) = review_of(&page, &indexed, item, &source, reply) else {
                    continue;
                };
                seen.watch.add(&review.watch);
                // A row that the gate refuses is shown to nobody.
                seen.reviews += usize::from(0 < review.watch.rows);
                seen.rows += review.verdicts.len();
                if std::env::var_os("COUNTERSIGN_SHOW").is_some() && review.watch.not_relied_on > 0
                {
                    println!("not relied on: {corpus}{} {}", page.key, item.key);
                }
            }
        }
    }
    println!("{} reviews of {} rows: {:#?}", seen.reviews, seen.rows, seen.watch);
    seen
}

#[test]
fn an_honest_reviewer_is_not_accused_on_real_pages() {
    for reply in [&by_rules as Reply<'_>, &honest] {
        let seen = watch(reply);
        assert!(seen.watch.shown > 300, "saw too little: {}", seen.watch.shown);
        assert_eq!(seen.watch.not_relied_on, 0, "{:?}", seen.watch);
    }
}

#[test]
fn no_kind_of_false_row_outweighs_the_others_on_real_pages() {
    let seen = watch(&by_rules);
    assert_eq!(seen.watch.caught, seen.watch.shown, "the built-in reviewer sees them all");
    let kinds = seen.watch.models.values().next().unwrap();
    assert_eq!(kinds.len(), 11, "{kinds:?}");
    for (kind, counts) in kinds {
        assert!(
            counts.shown * 4 < seen.watch.shown,
            "{kind}: {} of {}",
            counts.shown,
            seen.watch.shown
        );
    }
    assert!(kinds["exception"].shown >= 10, "{kinds:?}");
}

#[test]
fn a_rubber_stamp_is_found_out_in_every_review_of_real_pages() {
    let seen = watch(&rubber_stamp);
    assert_eq!(seen.watch.caught, 0);
    let found_out = usize::try_from(seen.watch.not_relied_on + seen.watch.unwatched).unwrap();
    assert_eq!(found_out, seen.reviews, "{:?}", seen.watch);
    assert!(seen.watch.unwatched * 100 <= seen.reviews as u64, "{:?}", seen.watch);
}

#[test]
fn no_real_page_is_taken_for_one_that_speaks_to_machines() {
    let (mut pages, mut alarms) = (0, Vec::new());
    let mut note = |name: &str, text: &str| {
        pages += 1;
        for span in machine_directed(text) {
            alarms.push(format!("{name}: {}", span.slice(text).unwrap()));
        }
        for span in &PageText::index(text).signs().aimed_at_machines {
            alarms.push(format!("{name}, at the gate: {}", span.slice(text).unwrap()));
        }
    };
    for corpus in CORPORA {
        let source = source(corpus);
        for page in all_pages(corpus, &source) {
            note(&page.key, &page.page.text);
            for hidden in &page.page.hidden {
                note(&page.key, &hidden.text);
            }
            note(&page.key, &page.page.title);
            note(&page.key, &page.key.replace(['-', '_', '/'], " "));
        }
    }
    for entry in std::fs::read_dir(shared().join("govuk/pages")).unwrap().flatten() {
        note(&entry.path().display().to_string(), &std::fs::read_to_string(entry.path()).unwrap());
    }
    println!("{} texts, {} alarms\n{}", pages, alarms.len(), alarms.join("\n"));
    assert!(pages > 700, "saw too little: {pages}");
    assert!(alarms.is_empty(), "{alarms:#?}");
}
