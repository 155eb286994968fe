//! Is this answer the page? Pure rules over what was answered and what was last accepted.
//!
//! When in doubt the page is suspect and a person looks; a text that was accepted before is never
//! doubted.

use url::Url;

use crate::crawl::apology::{Said, read_apology};
use crate::crawl::apology_words::Apology;
use crate::crawl::media::{is_same_family, short_name};
use crate::crawl::reading::PageReading;
use crate::crawl::redirect::is_sign_in;
use crate::model::baseline::Accepted;
use crate::model::page::Outcome;
use crate::text::glyphs::letter::is_han;
use crate::text::glyphs::script::{is_only_simplified, is_only_traditional};

/// What is judged.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    pub page: &'a Url,
    pub final_url: &'a Url,
    pub status: u16,
    pub media: &'a str,
    /// Type the header claims, without parameters.
    pub claimed: Option<&'a str>,
    /// `None` where no reader reads this type.
    pub reading: Option<&'a PageReading>,
    pub letters: Letters,
    /// Links inside the content.
    pub entries: u64,
    pub before: Option<&'a Accepted>,
    /// Primary language of the source: `zh`, `en`.
    pub source_language: &'a str,
}

/// Why an answer is not taken for the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub outcome: Outcome,
    pub reason: String,
    pub detail: String,
    /// True for an answer that is asked for once more before it is believed.
    pub asks_again: bool,
}

/// Letters of a text, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Letters {
    /// Letters and digits.
    pub all: u64,
    /// Letters without digits.
    pub letters: u64,
    pub han: u64,
    /// Characters that are written otherwise in simplified text, and in traditional text.
    pub only_traditional: u64,
    pub only_simplified: u64,
}

impl Letters {
    /// Counts those of `text`.
    pub fn of(text: &str) -> Self {
        let mut counted = Self::default();
        for it in text.chars() {
            counted.all += u64::from(it.is_alphanumeric());
            counted.letters += u64::from(it.is_alphabetic());
            if is_han(it) {
                counted.han += 1;
                counted.only_traditional += u64::from(is_only_traditional(it));
                counted.only_simplified += u64::from(is_only_simplified(it));
            }
        }
        counted
    }

    /// Of the characters that only one Chinese script has, the share of simplified ones, percent;
    /// `None` where there are too few to tell.
    pub fn simplified_percent(self) -> Option<u32> {
        const FEWEST: u64 = 20;
        let both = self.only_traditional + self.only_simplified;
        let percent = (self.only_simplified * 100).checked_div(both).filter(|_| both >= FEWEST);
        percent.and_then(|it| u32::try_from(it).ok())
    }

    /// Share of Han letters, percent, rounded down.
    pub fn han_percent(self) -> u32 {
        u32::try_from(self.han * 100 / self.letters.max(1)).unwrap_or(100)
    }
}

/// Statuses that are answers but not pages; `None` for those whose body is judged.
pub fn judge_status(status: u16) -> Option<Doubt> {
    let doubt = |outcome, reason: &str, detail: &str| {
        Some(Doubt {
            outcome,
            reason: reason.to_owned(),
            detail: detail.to_owned(),
            asks_again: false,
        })
    };
    match status {
        200 | 203 => None,
        202 | 204 | 205 => {
            doubt(Outcome::Suspect, "empty_page", "the server answered without a page")
        }
        404 | 410 => doubt(
            Outcome::GoneSuspected,
            &format!("http_{status}"),
            "the server says there is no such page",
        ),
        401 | 402 | 403 | 407 | 451 => doubt(
            Outcome::BlockedBySite,
            &format!("http_{status}"),
            "the site refuses us this page; ask the site for access",
        ),
        206 => doubt(
            Outcome::FailedTransient,
            "body_incomplete",
            "a part was sent without being asked for",
        ),
        _ => doubt(
            Outcome::FailedTransient,
            &format!("http_{status}"),
            &format!("status {status} says nothing about the page"),
        ),
    }
}

/// Judges the body of a 200. `None` is acceptance.
pub fn judge_page(evidence: &Evidence<'_>) -> Option<Doubt> {
    type_doubt(evidence)
        .or_else(|| said_doubt(evidence))
        .or_else(|| selector_doubt(evidence))
        .or_else(|| size_doubt(evidence))
        .or_else(|| language_doubt(evidence))
}

fn suspect(reason: impl Into<String>, detail: impl Into<String>) -> Option<Doubt> {
    Some(Doubt {
        outcome: Outcome::Suspect,
        reason: reason.into(),
        detail: detail.into(),
        asks_again: false,
    })
}

/// A document that turned into a page of markup is an apology under the old name.
fn type_doubt(evidence: &Evidence<'_>) -> Option<Doubt> {
    let now = evidence.media;
    if let Some(before) = evidence.before
        && !is_same_family(&before.media, now)
    {
        let (from, to) = (short_name(&before.media), short_name(now));
        return suspect(
            format!("type_changed_{from}_to_{to}"),
            format!("the page was {} and is now {now}", before.media),
        );
    }
    let claimed = evidence.claimed?;
    let is_page = is_same_family(now, "text/html");
    let claims_document = claimed == "application/pdf"
        || claimed.contains("officedocument")
        || claimed.contains("msword")
        || claimed.contains("ms-excel");
    if evidence.before.is_none() && is_page && claims_document {
        return suspect(
            format!("{}_claimed_html_found", short_name(claimed)),
            format!("the header promises {claimed}, the bytes are a web page"),
        );
    }
    None
}

/// The page says that it is not the page.
fn said_doubt(evidence: &Evidence<'_>) -> Option<Doubt> {
    let reading = evidence.reading?;
    let is_short = evidence.letters.all <= 400;
    if reading.has_password_input
        && (is_sign_in(evidence.final_url) && evidence.final_url != evidence.page
            || is_short && evidence.letters.all < 120)
    {
        return suspect("login_wall", "the site asks for a password instead of showing the page");
    }
    let said =
        Said { title: &reading.title, first_heading: &reading.first_heading, text: &reading.text };
    match read_apology(&said)? {
        Apology::Challenge => Some(Doubt {
            outcome: Outcome::BlockedBySite,
            reason: "waf_challenge".to_owned(),
            detail: "the site shows a bot check; ask the site for access".to_owned(),
            asks_again: false,
        }),
        Apology::SignIn => {
            suspect("login_wall", "the site asks to sign in instead of showing the page")
        }
        Apology::Maintenance => suspect(
            "maintenance",
            "the page says that it is out of service; what was last accepted stays",
        ),
        Apology::NotFound => Some(Doubt {
            outcome: Outcome::SoftGone,
            reason: "soft_404".to_owned(),
            detail: "status 200, but the page says that it is not there".to_owned(),
            asks_again: false,
        }),
    }
}

fn selector_doubt(evidence: &Evidence<'_>) -> Option<Doubt> {
    let reading = evidence.reading.filter(|it| !it.content_found)?;
    Some(Doubt {
        outcome: Outcome::SelectorMissing,
        reason: "selector_missing".to_owned(),
        detail: format!(
            "none of the content selectors matches on {:?}; look whether the site was rebuilt",
            reading.title
        ),
        asks_again: false,
    })
}

/// Letters below which a page that had this many times more is asked for once more.
const SHRUNK_TO: u64 = 300;
const SHRUNK_FROM: u64 = 1_000;

fn size_doubt(evidence: &Evidence<'_>) -> Option<Doubt> {
    evidence.reading?;
    let now = evidence.letters.all;
    let before = evidence.before.map_or(0, |it| it.letters);
    let doubt = |reason: &str, detail: String| {
        Some(Doubt {
            outcome: Outcome::Suspect,
            reason: reason.to_owned(),
            detail,
            asks_again: true,
        })
    };
    if now == 0 {
        return doubt("empty_page", "the content holds no letter and no digit".to_owned());
    }
    if before >= SHRUNK_FROM && now < SHRUNK_TO && now * 10 < before {
        return doubt(
            "shrunken",
            format!(
                "the content shrank from {before} letters to {now}; what was last accepted stays"
            ),
        );
    }
    listing_doubt(evidence, before)
}

/// Links a page must have had before their loss says something.
const LISTS_FROM: u64 = 5;

/// A listing that comes back empty is the most convincing lie a site can tell.
fn listing_doubt(evidence: &Evidence<'_>, letters_before: u64) -> Option<Doubt> {
    let (was, is) = (evidence.before?.entries, evidence.entries);
    if was < LISTS_FROM || is * 5 >= was || evidence.letters.all * 2 >= letters_before {
        return None;
    }
    let reason = if is == 0 { "listing_empty" } else { "listing_shrunken" };
    Some(Doubt {
        outcome: Outcome::Suspect,
        reason: reason.to_owned(),
        detail: format!(
            "the page listed {was} entries and lists {is}; nothing is taken as removed"
        ),
        asks_again: true,
    })
}

/// A bilingual site that answers in its other language; as a difference it would be a rewrite.
fn language_doubt(evidence: &Evidence<'_>) -> Option<Doubt> {
    /// Letters, a Chinese character for three, from which on a language can be told.
    const FEWEST: u64 = 40;
    let (reading, before) = (evidence.reading?, evidence.before?);
    let (was, is) = (before.han_percent, evidence.letters.han_percent());
    let said_now = evidence.letters.letters + 2 * evidence.letters.han;
    let said_before = before.letters + 2 * before.letters * u64::from(was) / 100;
    if said_now < FEWEST || said_before < FEWEST {
        return None;
    }
    let flipped = was >= 40 && is <= 10 || was <= 10 && is >= 40;
    if !flipped {
        return script_doubt(before, evidence.letters);
    }
    let latin = |declared: &str| {
        let primary = declared.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        if primary.is_empty() || primary == "zh" { "en".to_owned() } else { primary }
    };
    let (from, to) = if was >= 40 {
        ("zh".to_owned(), latin(&reading.language))
    } else {
        (latin(evidence.source_language), "zh".to_owned())
    };
    suspect(
        format!("language_changed {from}->{to}"),
        format!("Han characters were {was} of 100 letters and are now {is}"),
    )
}

/// A Chinese page that answers in the other script.
fn script_doubt(before: &Accepted, letters: Letters) -> Option<Doubt> {
    let (was, is) = (before.simplified_percent?, letters.simplified_percent()?);
    let (from, to) = if was <= 20 && is >= 80 {
        ("zh-Hant", "zh-Hans")
    } else if was >= 80 && is <= 20 {
        ("zh-Hans", "zh-Hant")
    } else {
        return None;
    };
    suspect(
        format!("language_changed {from}->{to}"),
        format!(
            "simplified characters were {was} of 100 that tell the scripts apart and are now {is}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(text: &str, media: &str) -> Accepted {
        let letters = Letters::of(text);
        Accepted {
            record: String::new(),
            raw: String::new(),
            raw_seen: String::new(),
            text: None,
            words: String::new(),
            title: String::new(),
            media: media.to_owned(),
            final_url: String::new(),
            reader: String::new(),
            letters: letters.all,
            han_percent: letters.han_percent(),
            simplified_percent: letters.simplified_percent(),
            flags: Vec::new(),
            entries: 0,
            is_listing: false,
            history: Vec::new(),
        }
    }

    fn judge(reading: &PageReading, before: Option<&Accepted>) -> Option<String> {
        let url = Url::parse("https://gov.example/a").unwrap();
        judge_page(&Evidence {
            page: &url,
            final_url: &url,
            status: 200,
            media: "text/html",
            claimed: Some("text/html"),
            reading: Some(reading),
            letters: Letters::of(&reading.text),
            entries: 0,
            before,
            source_language: "en",
        })
        .map(|it| it.reason)
    }

    fn reading(text: &str) -> PageReading {
        PageReading { text: text.to_owned(), content_found: true, ..PageReading::default() }
    }

    #[test]
    fn a_page_in_another_language_is_suspect_both_ways() {
        let english = "The applicant must be aged 70 or above and live in the district.";
        let chinese =
            "申請人須年滿七十歲並在本區居住滿七年，且每月入息不得超過限額，資產亦不得超過限額。"
                .repeat(2);
        let before = accepted(&chinese, "text/html");
        assert_eq!(
            judge(&reading(english), Some(&before)).as_deref(),
            Some("language_changed zh->en")
        );
        let before = accepted(english, "text/html");
        assert_eq!(
            judge(&reading(&chinese), Some(&before)).as_deref(),
            Some("language_changed en->zh")
        );
        assert_eq!(judge(&reading(&chinese), None), None);
    }

    #[test]
    fn a_page_in_the_other_chinese_script_is_suspect() {
        let traditional =
            "申請人須年滿七十歲並繳納規費，經核准後發給補助，應於期限內辦理變更登記。".repeat(4);
        let simplified =
            "申请人须年满七十岁并缴纳规费，经核准后发给补助，应于期限内办理变更登记。".repeat(4);
        let before = accepted(&traditional, "text/html");
        let reason = judge(&reading(&simplified), Some(&before));
        assert_eq!(reason.as_deref(), Some("language_changed zh-Hant->zh-Hans"));
        assert_eq!(judge(&reading(&traditional.replace("歲", "岁")), Some(&before)), None);
    }

    #[test]
    fn a_page_that_lost_nearly_everything_is_suspect_and_a_shorter_one_is_not() {
        let long = "Each berth holder pays the yearly fee in advance. ".repeat(60);
        let before = accepted(&long, "text/html");
        assert_eq!(judge(&reading("Berth fees"), Some(&before)).as_deref(), Some("shrunken"));
        assert_eq!(judge(&reading(&long[..900]), Some(&before)), None);
        assert_eq!(judge(&reading(" "), None).as_deref(), Some("empty_page"));
        assert_eq!(judge(&reading("public"), None), None);
    }

    #[test]
    fn a_page_with_a_sign_in_box_beside_its_content_is_a_page() {
        let mut page = reading(&"The yearly fee is $240 and is paid in advance. ".repeat(6));
        page.has_password_input = true;
        assert_eq!(judge(&page, None), None);
        page.text = "User\nPassword".to_owned();
        assert_eq!(judge(&page, None).as_deref(), Some("login_wall"));
    }

    #[test]
    fn a_document_that_turned_into_markup_is_suspect() {
        let before = accepted("", "application/pdf");
        let reason = judge(&reading("Sorry"), Some(&before));
        assert_eq!(reason.as_deref(), Some("type_changed_pdf_to_html"));
    }
}
