//! The report for people: one page that needs nothing but itself, whatever a page of a source holds.

use countersign::gate::sentences::ledger::{Fate, Ledger, LedgerEntry, Why};
use countersign::model::finding::Code;
use countersign::model::row::RowRecord;
use countersign::model::sheet::SheetLanguage;
use countersign::report::page::ReportPage;
use countersign::report::run::{ReportInput, write_report};
use countersign::text::span::Span;

use crate::desk::{facts, row};
use crate::sheet::some_rows;

fn report(input: &ReportInput<'_>) -> String {
    let mut html = Vec::new();
    write_report(input, &mut html).unwrap();
    String::from_utf8(html).unwrap()
}

fn entry(text: &str, part: &str, fate: Fate) -> LedgerEntry {
    let start = text.find(part).unwrap();
    LedgerEntry { span: Span::new(start, start + part.len()), fate }
}

#[test]
fn every_character_of_a_page_is_shown_once_with_what_became_of_it() {
    let text = "# Who can apply\n\nYou must be aged 65 or over.\n\nYou must live here for 7 years.\n\nWelcome!\n";
    let ledger = Ledger {
        entries: vec![
            entry(text, "Who can apply", Fate::NotACondition { why: Why::Heading }),
            entry(text, "You must be aged 65 or over.", Fate::Used { rows: vec!["r1".into()] }),
            entry(text, "You must live here for 7 years.", Fate::Open { is_rule: true }),
            entry(text, "Welcome!", Fate::Open { is_rule: false }),
        ],
    };
    let start = text.find("aged").unwrap();
    let mut only = row("a-1", "You must be aged 65 or over.", "aged 65 or over", &[]);
    let span = Span::new(start, start + 15);
    only.place = Some(countersign::model::row::Place { bytes: span, chars: span });
    let pages = [ReportPage {
        source: "lanternfield",
        url: &only.page.clone(),
        title: "Old age supplement",
        text,
        ledger: &ledger,
    }];
    let facts = facts(SheetLanguage::English);
    let html = report(&ReportInput { facts: &facts, rows: &[only], pages: &pages });
    let shown: String = html
        .split_once("<div class=\"page\">")
        .unwrap()
        .1
        .split_once("</div>")
        .unwrap()
        .0
        .split('<')
        .map(|it| it.split_once('>').map_or(it, |tag| tag.1))
        .collect();
    let shown = shown.replace("✓ ", "").replace("! ", "").replace('↗', "");
    assert_eq!(shown.replace("&#35;", "#"), text);
    assert!(html.contains("class=\"s rule\" title=\"a rule that no row uses\""));
    assert!(html.contains("href=\"#row-a-1\""), "the sentence leads to its row");
}

#[test]
fn a_hostile_page_stays_text_and_loads_nothing() {
    let bad = "</div><script>alert(1)</script><img src=x onerror=alert(2)> & \"'";
    let mut hostile = row("a-1", bad, bad, &[Code::InstructionText]);
    hostile.page = "javascript:alert(3)".into();
    hostile.page_title = bad.into();
    hostile.claim.subject = bad.into();
    let facts = facts(SheetLanguage::English);
    let html = report(&ReportInput { facts: &facts, rows: &[hostile], pages: &[] });
    for never in ["<script", "<img", "href=\"javascript", " src=\"", "@import", "url("] {
        assert!(!html.contains(never), "{never}");
    }
    assert!(html.contains("&#60;script&#62;"));
}

#[test]
fn sums_that_do_not_add_up_are_seen() {
    let mut facts = facts(SheetLanguage::Chinese);
    facts.summary.rows.flagged = 2;
    facts.summary.rows.accepted = 1;
    let rows = some_rows();
    let html = |rows: &[RowRecord]| report(&ReportInput { facts: &facts, rows, pages: &[] });
    assert!(!html(&rows).contains("合計不符"));
    assert!(html(&rows[..2]).contains("合計不符"));
    assert!(html(&rows).contains("lang=\"zh-Hant\"") && html(&rows).contains("網頁、各列與句子"));
}
