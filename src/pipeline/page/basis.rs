//! What a page's rows are made from beside its bytes: rules, fields, readers, and whether its host counts.
//!
//! Equal basis, equal rows. Nothing here reads a page.

use url::Url;

use crate::ask::canonical::{canonical_json, hex_sha256};
use crate::ask::compose::Reader;
use crate::crawl::scope::{Scope as DeclaredHosts, starts_on_host_of};
use crate::model::run::ChangeCause;
use crate::model::source::Source;

/// Raised whenever gate, rows or counting change what a page's rows come to.
const JUDGE_VERSION: &str = "judge/9";

/// The digests of what a page's rows depend on besides its bytes, as `<rules>-<reader>`: what of it is
/// read and for which fields; and who reads and judges it.
///
/// # Errors
/// When a field list cannot be written as JSON.
pub fn rules_digest(source: &Source, readers: [&Reader; 2]) -> Result<String, serde_json::Error> {
    let readers = readers.map(|it| (&it.id, hex_sha256(it.instructions.as_bytes())));
    let rules = (
        (&source.id, &source.language, &source.fields),
        (&source.content, &source.exclude, &source.items),
    );
    let digest = |json: String| hex_sha256(json.as_bytes())[..16].to_owned();
    let rules = digest(canonical_json(&rules)?);
    Ok(format!("{rules}-{}", digest(canonical_json(&(JUDGE_VERSION, readers))?)))
}

/// Behind the rules of a page whose host the source does not name any more.
pub const FOREIGN: &str = "-foreign";

/// Whose doing it is that rows made under `before` may differ from those made under `now`.
pub fn cause_of(before: &str, now: &str) -> ChangeCause {
    let rules = |it: &str| it.split_once('-').map(|(rules, _)| rules.to_owned());
    if before == now {
        ChangeCause::Source
    } else if before.ends_with(FOREIGN) != now.ends_with(FOREIGN) {
        // What counts as a source is ours to say.
        ChangeCause::Rules
    } else if rules(before).is_some() && rules(before) == rules(now) {
        ChangeCause::Reader
    } else {
        ChangeCause::Rules
    }
}

/// The host of a page that is none of the source's: it was crawled when the source named others.
pub fn foreign_host(source: &Source, page: &str) -> Option<String> {
    let page = Url::parse(page).ok()?;
    if starts_on_host_of(source, &page) {
        return None;
    }
    let declared = DeclaredHosts::new(source).ok()?;
    let host = page.host_str()?;
    (!declared.is_own_host(&page)).then(|| host.to_owned())
}

/// What a page's rows were made from: rules and capture. Equal basis, equal rows.
pub fn basis_of(rules: &str, capture: &str) -> String {
    format!("{rules}:{capture}")
}

/// Rules and capture of a basis.
pub fn basis_parts(basis: &str) -> Option<(&str, &str)> {
    basis.split_once(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_counts_no_more_or_again_is_our_doing_and_not_the_sources() {
        assert_eq!(cause_of("a-b", "a-b"), ChangeCause::Source);
        assert_eq!(cause_of("a-b-foreign", "a-b-foreign"), ChangeCause::Source);
        assert_eq!(cause_of("a-b", "a-b-foreign"), ChangeCause::Rules);
        assert_eq!(cause_of("a-b-foreign", "a-b"), ChangeCause::Rules);
        assert_eq!(cause_of("a-b", "a-c"), ChangeCause::Reader);
        assert_eq!(cause_of("a-b", "x-b"), ChangeCause::Rules);
    }
}
