//! Whether an extractor's rows are worth anything: refused by the gate, or far too few.
//!
//! Counts only; never a word on a single row. A reader that was shown little is left in peace.

use std::collections::BTreeMap;
use std::net::IpAddr;

use rust_decimal::Decimal;
use url::{Host, Url};

use crate::fetch::address::{AddressKind, kind_of};
use crate::gate::row::Judgement;
use crate::gate::sentences::ledger::Fate;
use crate::model::config::{AnswererKind, ProjectConfig, ReaderConfig, WatchConfig};
use crate::model::finding::Verdict;
use crate::model::run::ExtractCounts;

/// What one item's first pass adds to its extractor's counts.
pub fn extract_counts(judgement: &Judgement) -> ExtractCounts {
    let is_condition =
        |fate: &Fate| matches!(fate, Fate::Used { .. } | Fate::Open { is_rule: true });
    let refused = judgement.rows.iter().filter(|it| it.verdict() == Verdict::Fail).count();
    let conditions = judgement.ledger.entries.iter().filter(|it| is_condition(&it.fate)).count();
    ExtractCounts {
        rows: judgement.rows.len() as u64,
        refused: refused as u64,
        conditions: conditions as u64,
        items: 1,
    }
}

/// Readers whose rows make the run a failed one, each with its numbers; by source, then by reader over
/// all sources where no single source says enough.
pub fn unfit_readers(
    sources: &BTreeMap<String, BTreeMap<String, ExtractCounts>>,
    config: &WatchConfig,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut sums: BTreeMap<&str, ExtractCounts> = BTreeMap::new();
    for (source, readers) in sources {
        for (reader, counts) in readers {
            sums.entry(reader).or_default().add(*counts);
            let whys = why_unfit(*counts, config);
            found.extend(whys.into_iter().map(|why| format!("source {source}, {reader}: {why}")));
        }
    }
    if found.is_empty() && sources.len() > 1 {
        for (reader, counts) in sums {
            let whys = why_unfit(counts, config);
            found.extend(whys.into_iter().map(|why| format!("all sources, {reader}: {why}")));
        }
    }
    found
}

fn why_unfit(counts: ExtractCounts, config: &WatchConfig) -> Vec<String> {
    let mut whys = Vec::new();
    let share = |part: u64, whole: u64| {
        Decimal::from(part).checked_div(Decimal::from(whole)).unwrap_or_default()
    };
    let percent = |it: Decimal| (it * Decimal::ONE_HUNDRED).round().normalize();
    let ExtractCounts { rows, refused, conditions, .. } = counts;
    let is_enough = config.from <= rows;
    if is_enough && config.most_refused < share(refused, rows) {
        whys.push(format!(
            "{refused} of {rows} rows were refused by the gate ({} %; most_refused under [watch] is {} %)",
            percent(share(refused, rows)),
            percent(config.most_refused)
        ));
    }
    let standing = rows.saturating_sub(refused);
    if config.from <= conditions && share(standing, conditions) < config.least_found {
        whys.push(format!(
            "{standing} rows stand for {conditions} sentences that state a condition ({} %; least_found under [watch] is {} %)",
            percent(share(standing, conditions)),
            percent(config.least_found)
        ));
    }
    whys
}

/// Two passes by one model share its blind spots: said where both readers are the same one.
pub fn same_model_note(config: &ProjectConfig) -> Option<String> {
    let (first, second) = (&config.extractor, &config.reviewer);
    let is_same = first.answerer == AnswererKind::Http
        && second.answerer == AnswererKind::Http
        && first.model == second.model;
    is_same.then(|| {
        format!(
            "extractor and reviewer are the same model ({}): what it misreads once it tends to \
             misread twice in the same way, so a mistake of the first pass is confirmed and nobody \
             disagrees; false rows that code mixes in are still caught or not, but not its own \
             mistakes: name another model under [reviewer]",
            first.model
        )
    })
}

/// A key that goes unencrypted to another network: said for each reader at an `http://` address that is
/// neither this machine's nor a private one.
pub fn open_key_notes(config: &ProjectConfig) -> Vec<String> {
    let readers = [("extractor", &config.extractor), ("reviewer", &config.reviewer)];
    let is_open = |it: &ReaderConfig| {
        it.answerer == AnswererKind::Http
            && !(it.key_env.is_empty() && it.key_file.is_empty())
            && leads_out_unencrypted(&it.base_url)
    };
    let open = readers.into_iter().filter(|it| is_open(it.1));
    open.map(|(step, it)| {
        format!(
            "the {step}'s key and the pages go unencrypted to {}: whoever is on the way can read both; \
             use an https:// address",
            it.base_url
        )
    })
    .collect()
}

fn leads_out_unencrypted(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let is_public = match url.host() {
        Some(Host::Domain(name)) => {
            let in_house = [".local", ".internal", ".localhost", ".lan", ".home.arpa"];
            name.contains('.') && !in_house.iter().any(|it| name.ends_with(it))
        }
        Some(Host::Ipv4(it)) => kind_of(IpAddr::V4(it)) != AddressKind::Private,
        Some(Host::Ipv6(it)) => kind_of(IpAddr::V6(it)) != AddressKind::Private,
        None => false,
    };
    url.scheme() == "http" && is_public
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unencrypted_address_is_told_where_it_leads_out() {
        for address in
            ["http://models.example/v1", "HTTP://203.0.113.7:8080/v1", "http://[2606:4700::1]/v1"]
        {
            assert!(leads_out_unencrypted(address), "{address}");
        }
        for address in [
            "https://models.example/v1",
            "http://127.0.0.1:8080/v1",
            "http://localhost:11434/v1",
            "http://gpu-box:8000/v1",
            "http://gpu.local/v1",
            "http://10.1.2.3/v1",
            "http://[::1]:8080/v1",
            "",
        ] {
            assert!(!leads_out_unencrypted(address), "{address}");
        }
        let mut config = ProjectConfig::default();
        config.reviewer.answerer = AnswererKind::Http;
        config.reviewer.base_url = "http://models.example/v1".to_owned();
        assert_eq!(open_key_notes(&config), Vec::<String>::new(), "no key is sent");
        config.reviewer.key_env = "A_KEY".to_owned();
        assert_eq!(open_key_notes(&config).len(), 1);
    }

    fn of(counts: &[(&str, u64, u64, u64)]) -> Vec<String> {
        let mut sources: BTreeMap<String, BTreeMap<String, ExtractCounts>> = BTreeMap::new();
        for (source, rows, refused, conditions) in counts {
            let counts =
                ExtractCounts { rows: *rows, refused: *refused, conditions: *conditions, items: 1 };
            sources.entry((*source).to_owned()).or_default().insert("模型".to_owned(), counts);
        }
        unfit_readers(&sources, &WatchConfig::default())
    }

    #[test]
    fn mostly_refused_and_far_too_few_rows_are_told_with_the_numbers() {
        let found = of(&[("a", 40, 31, 12)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("source a, 模型: 31 of 40") && found[0].contains("78 %"));
        let found = of(&[("a", 2, 0, 60)]);
        assert!(found[0].contains("2 rows stand for 60 sentences"), "{found:?}");
        assert_eq!(of(&[("a", 0, 0, 10)]).len(), 1, "nothing at all is far too few");
    }

    #[test]
    fn a_small_run_and_an_ordinary_one_are_left_in_peace() {
        for counts in [(9, 9, 9), (0, 0, 9), (1, 0, 1), (40, 20, 30), (100, 10, 120), (0, 0, 0)] {
            let (rows, refused, conditions) = counts;
            assert_eq!(of(&[("a", rows, refused, conditions)]), Vec::<String>::new(), "{counts:?}");
        }
    }

    #[test]
    fn many_small_sources_are_looked_at_together() {
        let small: Vec<String> = (0..8).map(|it| format!("s{it}")).collect();
        let counts: Vec<_> = small.iter().map(|it| (it.as_str(), 3, 3, 2)).collect();
        let found = of(&counts);
        assert!(found[0].starts_with("all sources, 模型: 24 of 24"), "{found:?}");
    }
}
