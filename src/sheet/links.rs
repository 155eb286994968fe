//! Puts back the percent signs of links that the workbook writer escapes a second time.
//!
//! The writer takes an address for unescaped unless it holds one of a few escapes, so
//! `/%E5%B9%B4` would become `/%25E5…` and open another page. Only the exact targets that were
//! written are put back; no other byte of the file is touched.

use std::collections::BTreeMap;

use zip::result::ZipError;

use crate::sheet::parts::rewrite_parts;

/// Rewrites the link targets of a workbook. `links` are the addresses as they were meant.
///
/// # Errors
/// When the workbook is not a zip archive.
pub fn mend_links(bytes: Vec<u8>, links: &[String]) -> Result<Vec<u8>, ZipError> {
    let mended: BTreeMap<String, String> =
        links.iter().filter_map(|it| mended_target(it)).collect();
    if mended.is_empty() {
        return Ok(bytes);
    }
    let is_links = |name: &str| name.starts_with("xl/worksheets/_rels/");
    rewrite_parts(&bytes, is_links, |_, text| Ok(with_targets(text, &mended)))
}

/// The target as the writer escaped it, and as it should be; `None` where both are the same.
fn mended_target(link: &str) -> Option<(String, String)> {
    let target = link.split('#').next().unwrap_or(link);
    if !target.contains('%') {
        return None;
    }
    let escaped = target.replace('%', "%25");
    Some((attribute(&escaped), attribute(target)))
}

fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

fn with_targets(text: &str, mended: &BTreeMap<String, String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("Target=\"") {
        let (head, tail) = rest.split_at(at + "Target=\"".len());
        let end = tail.find('"').unwrap_or(tail.len());
        let target = &tail[..end];
        result.push_str(head);
        result.push_str(mended.get(target).map_or(target, String::as_str));
        rest = &tail[end..];
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_written_targets_are_put_back() {
        let links = ["https://a.example/%E5%B9%B4?a=1&b=2#:~:text=x".to_owned()];
        let mended: BTreeMap<_, _> = links.iter().filter_map(|it| mended_target(it)).collect();
        let text = r#"<R Target="https://a.example/%25E5%25B9%25B4?a=1&amp;b=2"/><R Target="https://a.example/%25E5"/>"#;
        assert_eq!(
            with_targets(text, &mended),
            r#"<R Target="https://a.example/%E5%B9%B4?a=1&amp;b=2"/><R Target="https://a.example/%25E5"/>"#
        );
    }
}
