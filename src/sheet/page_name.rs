//! The name of a page: its title without the name of the site, which comes and goes for all pages at once,
//! and without its translation, 就業保險法 (Employment Insurance Act), which is revised by itself.
//!
//! Only what is surely a site's name is left out: the name of an office, or the page's own host. "Fees -
//! Adults" keeps both its parts, since the second may be what the page is about.

use url::Url;

use crate::text::glyphs::letter::is_han;

/// Longest name of a site, in characters.
const LONGEST: usize = 60;

/// Last words of the names of offices and sites.
const ENDS: [&str; 18] = [
    "administration",
    "agency",
    "authority",
    "bureau",
    "commission",
    "council",
    "department",
    "directorate",
    "gov",
    "government",
    "homepage",
    "ministry",
    "municipality",
    "portal",
    "region",
    "secretariat",
    "site",
    "website",
];
/// First words of the names of offices; "of" or "for" follows.
const STARTS: [&str; 11] = [
    "agency",
    "board",
    "bureau",
    "city",
    "commission",
    "department",
    "directorate",
    "government",
    "ministry",
    "office",
    "secretariat",
];
const HAN_ENDS: [&str; 30] = [
    "部",
    "署",
    "局",
    "處",
    "处",
    "政府",
    "縣府",
    "市府",
    "區公所",
    "公所",
    "委員會",
    "委员会",
    "行政院",
    "立法院",
    "監察院",
    "司法院",
    "考試院",
    "總署",
    "服務中心",
    "全球資訊網",
    "資訊網",
    "服務網",
    "入口網",
    "主題網",
    "網站",
    "网站",
    "官網",
    "官网",
    "首頁",
    "首页",
];
/// 全部 and 東部 are no offices.
const NO_OFFICES: &str = "全內内外東东西南北中上下一二三四五六各本局細细";

/// The title's words, white space folded, without the parts at its ends that name the site. `address`: the
/// page's own.
pub fn page_name(title: &str, address: &str) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = parts_of(&title);
    let host = Url::parse(address).ok().and_then(|it| it.host_str().map(str::to_ascii_lowercase));
    let is_site = |it: &(usize, usize)| names_site(&title[it.0..it.1], host.as_deref());
    let (mut from, mut to) = (0, parts.len());
    while to - from > 1 && is_site(&parts[to - 1]) {
        to -= 1;
    }
    while to - from > 1 && is_site(&parts[from]) {
        from += 1;
    }
    match (parts.get(from), parts[..to].last()) {
        (Some(first), Some(last)) => untranslated(&title[first.0..last.1]).to_owned(),
        _ => title.clone(),
    }
}

/// Words from which on what stands in parentheses is a title in the other language. "(Part A)" and "(Adults)"
/// may be what tells the page from another.
const TRANSLATED_WORDS: usize = 3;
const TRANSLATED_HAN: usize = 4;

/// A name without the whole title in the other language that ends it in parentheses.
fn untranslated(name: &str) -> &str {
    let Some(inner) = name.strip_suffix([')', '）']) else { return name };
    let Some(open) = inner.rfind(['(', '（']) else { return name };
    let own = name[..open].trim_end();
    let inner = inner[open..].trim_start_matches(['(', '（']);
    let is_latin = |text: &str| text.chars().any(char::is_alphabetic) && !text.chars().any(is_han);
    let is_title = if own.chars().any(is_han) {
        is_latin(inner)
            && !inner.contains(|it: char| it.is_ascii_digit())
            && inner.split_whitespace().count() >= TRANSLATED_WORDS
            && inner.rsplit(' ').next().is_some_and(|it| it.chars().count() > 2)
    } else {
        is_latin(own) && inner.chars().all(is_han) && inner.chars().count() >= TRANSLATED_HAN
    };
    if is_title { own } else { name }
}

/// Bytes of the parts of a title, between bars, and dashes that stand apart or between Chinese words.
fn parts_of(title: &str) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    let mut letters = title.char_indices().peekable();
    while let Some((at, it)) = letters.next() {
        let after = letters.peek().map_or(' ', |it| it.1);
        let parts_always = matches!(it, '|' | '｜' | '»' | '›' | '_' | '＿');
        let is_dash = matches!(it, '-' | '–' | '—' | '－' | '·' | '•' | ':' | '：');
        let stands_apart = before == ' ' && after == ' ';
        let between_words = !before.is_ascii() && !after.is_ascii() && it != '：' && it != '·';
        if parts_always || is_dash && (stands_apart || between_words) {
            push(&mut parts, title, (start, at));
            start = at + it.len_utf8();
        }
        before = it;
    }
    push(&mut parts, title, (start, title.len()));
    parts
}

fn push(parts: &mut Vec<(usize, usize)>, title: &str, (start, end): (usize, usize)) {
    let part = &title[start..end];
    let from = start + part.len() - part.trim_start().len();
    let to = from + part.trim().len();
    if from < to {
        parts.push((from, to));
    }
}

fn names_site(part: &str, host: Option<&str>) -> bool {
    if part.chars().count() > LONGEST || part.contains(|it: char| it.is_ascii_digit()) {
        return false;
    }
    let lower = part.to_lowercase();
    host.is_some_and(|it| is_of_host(&lower, it)) || names_office(&lower) || names_han_office(part)
}

/// `NHS` on www.nhs.uk, `GOV.UK` on www.gov.uk, `gov.example` on any host below it, `Harbour Affairs` on
/// www.ha.example.
fn is_of_host(part: &str, host: &str) -> bool {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let labels = || host.split('.');
    let words =
        || part.split_whitespace().filter(|it| !matches!(*it, "of" | "for" | "and" | "the"));
    let initials: String = words().filter_map(|it| it.chars().next()).collect();
    let is_short_for = |it: &str| initials.len() > 1 && it == initials;
    part.len() > 1
        && (part == host
            || part.contains('.') && host.ends_with(&format!(".{part}"))
            || labels().rev().skip(1).any(|it| it == part || is_short_for(it)))
}

fn names_office(lower: &str) -> bool {
    let words: Vec<&str> = lower.split(|it: char| it.is_whitespace() || it == '.').collect();
    let (first, last) = (words.first(), words.last());
    let is_domain = words.len() > 1 && !lower.contains(' ') && words.contains(&"gov");
    let begins = first.is_some_and(|it| STARTS.contains(it))
        && words.get(1).is_some_and(|it| matches!(*it, "of" | "for"));
    is_domain || begins || last.is_some_and(|it| ENDS.contains(it))
}

fn names_han_office(part: &str) -> bool {
    let Some(end) = HAN_ENDS.iter().find(|it| part.ends_with(**it)) else { return false };
    let name = &part[..part.len() - end.len()];
    let is_short = end.chars().count() == 1;
    !is_short || name.chars().count() >= 2 && !name.ends_with(|it: char| NO_OFFICES.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sites_name_is_left_out_at_either_end_in_both_languages() {
        for (title, name) in [
            ("Payment rates 2026 | GOV", "Payment rates 2026"),
            ("Payment rates 2026 - GOV.EXAMPLE", "Payment rates 2026"),
            ("Ferry cards – Ministry of Ferries", "Ferry cards"),
            ("Ferry cards | Adults | Harbour City Council", "Ferry cards | Adults"),
            ("Harbour City Council: Fees", "Harbour City Council: Fees"),
            ("Harbour City Council | Fees", "Fees"),
            ("Fees | HARBOUR", "Fees"),
            ("Fees | Harbour Affairs for All Boats", "Fees"),
            ("一一四年度標準 - 某某部", "一一四年度標準"),
            ("一一四年度標準-渡輪局全球資訊網", "一一四年度標準"),
            ("渡輪管理處｜收費標準", "收費標準"),
            ("收費標準_島嶼市政府", "收費標準"),
            ("島嶼市政府", "島嶼市政府"),
            ("渡輪卡辦法 (Regulations on Ferry Cards)", "渡輪卡辦法"),
            ("廢 渡輪卡辦法（Regulations on Ferry Cards）", "廢 渡輪卡辦法"),
            ("Ferry Card Act (渡輪卡條例)", "Ferry Card Act"),
            ("", ""),
        ] {
            assert_eq!(page_name(title, "https://haab.harbour.example/fees"), name, "{title}");
        }
    }

    #[test]
    fn what_may_be_the_pages_subject_stays_in_both_languages() {
        for title in [
            "Fees - Adults",
            "Fees | Part B",
            "Rates | PIP",
            "Rates - 2026",
            "Help for council tenants",
            "Fees | Council tenants",
            "收費-成人",
            "票價-東部",
            "票價-全部",
            "補助｜第一類",
            "65-74 years",
            "補助標準 (Part A)",
            "補助標準 (Group of Type B)",
            "渡輪卡辦法（成人）",
            "Ferry cards (成人)",
            "Fees (for adults and children)",
            "低收入戶－生活扶助",
        ] {
            assert_eq!(page_name(title, "https://www.harbour.example/fees"), title, "{title}");
        }
    }
}
