//! The mutation score on labelled rows of real pages.

use countersign::plant::kind::Kind;
use countersign::trial::run::{TrialPage, TrialReport, run_trial};

use crate::gate_gold::labelled_pages;

fn pages() -> Vec<TrialPage> {
    let corpora = ["va", "twlaw", "twlaw_en"];
    let page = |it: crate::gate_gold::LabelledPage| TrialPage {
        name: it.key,
        title: it.title,
        text: it.text,
        rows: it.rows,
        groups: Vec::new(),
    };
    corpora.into_iter().flat_map(labelled_pages).map(page).collect()
}

fn print(report: &TrialReport) {
    for (kind, languages) in &report.kinds {
        for (language, it) in languages {
            let (caught, planted, still) = (it.caught, it.planted, it.still_true);
            println!(
                "{:20} {language} {caught:5} of {planted:5}, {still} still true",
                kind.as_str()
            );
        }
    }
    for it in &report.missed {
        println!(
            "missed {} {} {} | {} | {}",
            it.kind.as_str(),
            it.page,
            it.row,
            it.change,
            it.snippet
        );
    }
}

#[test]
fn planted_errors_are_caught() {
    let report = run_trial(&pages(), 1);
    print(&report);
    assert_eq!(report, run_trial(&pages(), 1), "the same seed must give the same report");
    let groups: [(&[Kind], f64); 3] = [
        (
            &[
                Kind::DigitChanged,
                Kind::DigitsSwapped,
                Kind::DigitLost,
                Kind::ScaleLost,
                Kind::UnitChanged,
                Kind::OperatorAtBorder,
                Kind::OperatorTurned,
            ],
            99.0,
        ),
        (
            &[
                Kind::JoinFlipped,
                Kind::NegationCut,
                Kind::NegationAdded,
                Kind::ExceptionCut,
                Kind::HedgeCut,
                Kind::ForceHardened,
                Kind::OnlyCut,
            ],
            97.0,
        ),
        (&[Kind::QuoteMoved], 95.0),
    ];
    let scores = groups.map(|(kinds, least)| (report.score(kinds).unwrap(), least));
    println!("{scores:?}; {} of {} right rows refused", report.refused.len(), report.rows);
    for (score, least) in scores {
        assert!(least <= score, "{scores:?}");
    }
}
