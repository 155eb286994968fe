//! countersign turns official pages into quoted, gated, reviewed conditions that a client can sign.
//!
//! # The gate
//!
//! The front door for programs is the gate: a page's text and the raw reply of any extractor in, a
//! judgement out. It needs no project, no network and no model, and the same input gives the same
//! judgement.
//!
//! ```
//! use countersign::gate::contract::judgement_json;
//! use countersign::gate::judge::judge_reply;
//! use countersign::gate::page::PageText;
//! use countersign::gate::scope::Scope;
//! use countersign::model::finding::{Code, Verdict};
//!
//! let text = "Applicants must be aged 65 or over. 申請人應設籍滿三年。";
//! // What a model said of it: one row is right, one has another number than its own quote.
//! let reply = r#"{"rows": [
//!     {"id": "r1", "subject": "Applicants", "field": "age", "op": ">=", "value": 65,
//!      "unit": "years", "snippet": "Applicants must be aged 65 or over"},
//!     {"id": "r2", "subject": "申請人", "field": "residence", "op": ">=", "value": 5,
//!      "unit": "年", "snippet": "申請人應設籍滿三年"}
//! ]}"#;
//!
//! // Read once; each judgement then costs by its rows, not by the page.
//! let page = PageText::index(text);
//! let judged = judge_reply(&page, reply, &Scope::default());
//!
//! let [right, wrong] = judged.rows.as_slice() else { panic!("every row comes out once, in order") };
//! assert_eq!(right.verdict(), Verdict::Pass);
//! assert_eq!(right.place().map(|it| it.bytes.slice(text)), Some(Some("Applicants must be aged 65 or over")));
//! assert_eq!(wrong.verdict(), Verdict::Fail);
//! assert_eq!(wrong.findings()[0].code, Code::NumberAbsent);
//! assert!(!judged.is_clear());
//!
//! // The same as JSON, in the stable form of `countersign gate --format json`.
//! assert_eq!(judgement_json(&judged)["rows"][1]["reasons"][0]["found_numbers"][0], 3);
//! ```
//!
//! [`gate::scope::Scope`] narrows what counts as evidence: the item that was asked about, declared
//! fields, texts of the prompt. [`gate::judge::judge`] takes rows that are values already,
//! [`gate::hearing`] rows in any number, batch by batch. A [`gate::row::GatedRow`] is made by the gate
//! alone, so a function that takes one cannot be given a row that nobody judged.
//!
//! # The rest of the house
//!
//! The modules below stand in floors, lowest first, one blank-line group a floor. A file imports
//! only from lower floors, and stages never import stages; `tests/it/floors.rs` enforces it and
//! `docs/ARCHITECTURE.md` explains it.

pub mod text;

pub mod model;

pub mod fetch;
pub mod llm;
pub mod store;

pub mod ask;
pub mod reader;

pub mod gate;

pub mod plant;

pub mod change;
pub mod crawl;
pub mod extract;
pub mod items;
pub mod report;
pub mod review;
pub mod score;
pub mod sheet;
pub mod signoff;
pub mod snapshot;
pub mod sources;
pub mod trial;

pub mod pipeline;

pub mod cli;
