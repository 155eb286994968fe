//! Language tags (BCP 47, RFC 5646) as far as a source file needs them; never guesses one.

/// Two-letter codes of ISO 639-1.
const TWO_LETTERS: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce \
    ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv \
    ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr \
    ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn \
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so \
    sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh \
    yi yo za zh zu";

/// What people write who mean a tag.
const MEANT: &[(&str, &str)] = &[
    ("english", "en"),
    ("英文", "en"),
    ("eng", "en"),
    ("chinese", "zh-Hant or zh-Hans"),
    ("中文", "zh-Hant or zh-Hans"),
    ("zho", "zh-Hant or zh-Hans"),
    ("traditional chinese", "zh-Hant"),
    ("繁體中文", "zh-Hant"),
    ("繁体中文", "zh-Hant"),
    ("正體中文", "zh-Hant"),
    ("simplified chinese", "zh-Hans"),
    ("简体中文", "zh-Hans"),
    ("簡體中文", "zh-Hans"),
    ("cht", "zh-Hant"),
    ("chs", "zh-Hans"),
    ("tc", "zh-Hant"),
    ("sc", "zh-Hans"),
    ("cn", "zh-Hans"),
    ("hk", "zh-Hant-HK"),
    ("jp", "ja"),
    ("kr", "ko"),
];

/// A well-formed tag whose language is known.
///
/// # Errors
/// What to write instead, as far as it can be told; empty where it cannot.
pub fn check_language(tag: &str) -> Result<(), String> {
    let meant = MEANT.iter().find(|(it, _)| *it == tag.trim().to_lowercase().replace('_', " "));
    if let Some((_, meant)) = meant.filter(|(it, _)| *it != "sc") {
        return Err(format!("write {meant}"));
    }
    if tag.contains('_') {
        return Err(format!("write {}", tag.replace('_', "-")));
    }
    let mut parts = tag.split('-');
    let primary = parts.next().unwrap_or_default().to_ascii_lowercase();
    let is_known = match primary.len() {
        2 => TWO_LETTERS.split_whitespace().any(|it| it == primary),
        3 => primary.bytes().all(|it| it.is_ascii_lowercase()),
        _ => false,
    };
    if !is_known || !rest_is_well_formed(parts) {
        return Err("for example en, zh-Hant or zh-Hans".to_owned());
    }
    Ok(())
}

/// extlang, script, region, variants, then anything after a single letter.
fn rest_is_well_formed<'a>(parts: impl Iterator<Item = &'a str>) -> bool {
    let is_alpha = |it: &str| it.bytes().all(|b| b.is_ascii_alphabetic());
    let mut stage = 0;
    for part in parts {
        let is_alnum = part.bytes().all(|b| b.is_ascii_alphanumeric());
        if part.is_empty() || part.len() > 8 || !is_alnum {
            return false;
        }
        if stage == 5 {
            continue;
        }
        stage = match part.len() {
            1 => 5,
            3 if is_alpha(part) && stage < 1 => 1,
            4 if is_alpha(part) && stage < 2 => 2,
            2 if is_alpha(part) && stage < 3 => 3,
            3 if part.bytes().all(|b| b.is_ascii_digit()) && stage < 3 => 3,
            5..=8 => 4,
            4 if part.as_bytes()[0].is_ascii_digit() => 4,
            _ => return false,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_the_standard_are_taken() {
        for tag in [
            "en",
            "en-GB",
            "zh",
            "zh-Hant",
            "zh-Hant-TW",
            "zh-Hans-CN",
            "zh-TW",
            "zh-yue-HK",
            "yue-Hant",
            "es-419",
            "de-CH-1996",
            "sc",
            "ZH-HANT",
            "en-x-plain",
        ] {
            assert_eq!(check_language(tag), Ok(()), "{tag}");
        }
    }

    #[test]
    fn other_words_are_refused_with_the_tag_that_is_meant() {
        for (tag, meant) in [
            ("english", "en"),
            ("繁體中文", "zh-Hant"),
            ("zh_TW", "zh-TW"),
            ("cn", "zh-Hans"),
            ("xx", "for example"),
            ("", "for example"),
            ("zh-Traditional!", "for example"),
            ("en-", "for example"),
            ("zh-HK-Hant", "for example"),
        ] {
            assert!(check_language(tag).unwrap_err().contains(meant), "{tag}");
        }
    }
}
