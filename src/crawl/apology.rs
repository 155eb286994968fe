//! Pages that answer 200 and say that they are not the page: maintenance, not found, sign-in, bots.
//!
//! Judged by what is said and by how much else is said: a page that merely contains the words
//! passes. Pure rules over title, first heading and text, in both languages.

use crate::crawl::apology_words::{Apology, OWN_END, WORDS, Words};
use crate::text::glyphs::letter::is_han;

/// What is seen of a page.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    pub title: &'a str,
    pub first_heading: &'a str,
    /// One block a line.
    pub text: &'a str,
}

/// Longest text, in letters and digits, that can be an apology and nothing else.
const MAX_LETTERS: usize = 1_500;

/// Longest text looked at, bytes: beyond it, signs and spaces make up a page of another kind.
const MAX_BYTES: usize = 40_000;

/// Longest text, in letters and digits, of a page that says it is gone and why.
const MAX_NOTICE: usize = 400;

/// True for a short page that says it is gone and states nothing else: no number, no duty, no right.
/// What it was about may be named in a sentence beside.
fn is_notice_of_its_end(sentences: &[String], letters: usize) -> bool {
    let states = |it: &String| {
        it.chars().any(char::is_numeric)
            || [" must ", " shall ", " may ", "應", "須", "得", "不得", "应", "须"]
                .iter()
                .any(|word| it.contains(word))
    };
    letters <= MAX_NOTICE
        && sentences.iter().any(|it| OWN_END.is_match(it))
        && !sentences.iter().any(|it| !OWN_END.is_match(it) && states(it))
}

/// What the page says instead of its content, if it does.
pub fn read_apology(said: &Said<'_>) -> Option<Apology> {
    let letters = letters_of(said.text);
    if letters > MAX_LETTERS || said.text.len() > MAX_BYTES {
        return None;
    }
    let headlines: Vec<String> = title_segments(said.title)
        .into_iter()
        .chain([said.first_heading])
        .map(plain)
        .filter(|it| !it.is_empty())
        .collect();
    let sentences: Vec<String> =
        said.text.split(['\n', '。', '！', '？']).flat_map(western_sentences).map(plain).collect();
    if is_notice_of_its_end(&sentences, letters) {
        return Some(Apology::NotFound);
    }
    WORDS
        .iter()
        .map(|words| (words, weigh(words, &headlines, &sentences)))
        .find(|(_, it)| {
            let Weight { has_headline, said_letters } = *it;
            let share_of_100 = said_letters * 100 / letters.max(1);
            (has_headline && (share_of_100 >= 20 || letters <= 120))
                || (share_of_100 >= 50 && letters <= 800)
        })
        .map(|(words, _)| words.kind)
}

struct Weight {
    has_headline: bool,
    /// Letters of the sentences that say it.
    said_letters: usize,
}

fn weigh(words: &Words, headlines: &[String], sentences: &[String]) -> Weight {
    let is_headline = |it: &String| {
        let bare = it.trim_matches(|it: char| !it.is_alphanumeric() && it != '!');
        words.headline.contains(&bare)
            || words.headline.contains(&bare.trim_end_matches('!'))
            || (letters_of(it) <= 60 && words.says(it))
    };
    let said =
        sentences.iter().filter(|it| words.says(it) || words.headline.contains(&it.as_str()));
    Weight {
        has_headline: headlines.iter().any(is_headline),
        said_letters: said.map(|it| letters_of(it)).sum(),
    }
}

/// A Chinese character says about as much as three Latin letters.
fn letters_of(text: &str) -> usize {
    text.chars().filter(|it| it.is_alphanumeric()).map(|it| if is_han(it) { 3 } else { 1 }).sum()
}

fn title_segments(title: &str) -> Vec<&str> {
    title
        .split(['|', '｜', '·', '»', '–', '—', ':', '：', '_'])
        .flat_map(|it| it.split(" - "))
        .collect()
}

/// Splits after a full stop or its like that is followed by a space.
fn western_sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut ends: Vec<usize> = Vec::new();
    let mut last = ' ';
    for (at, it) in text.char_indices() {
        if it == ' ' && matches!(last, '.' | '!' | '?') {
            ends.push(at);
        }
        last = it;
    }
    ends.push(text.len());
    let mut from = 0;
    ends.into_iter().map(move |to| {
        let sentence = &text[from..to];
        from = to;
        sentence
    })
}

/// Lower case, straight quotes, white space folded, list and heading marks dropped.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.trim_start_matches(['#', '-', '*', '|', ' ']).chars() {
        match it {
            '’' | '‘' | 'ʼ' => out.push('\''),
            it if it.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            it => out.extend(it.to_lowercase()),
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(title: &str, heading: &str, text: &str) -> Option<Apology> {
        let text =
            if heading.is_empty() { text.to_owned() } else { format!("# {heading}\n\n{text}") };
        read_apology(&Said { title, first_heading: heading, text: &text })
    }

    #[test]
    fn apologies_are_known_in_both_languages() {
        use Apology::{Challenge, Maintenance, NotFound, SignIn};
        for (kind, title, heading, text) in [
            (
                Maintenance,
                "Harbour Board",
                "Sorry, we are closed for repairs",
                "Our website is currently undergoing scheduled maintenance. We will be back online at 6pm.",
            ),
            (Maintenance, "Service unavailable", "", ""),
            (
                Maintenance,
                "Maintenance | Harbour Board",
                "Maintenance",
                "This form is temporarily unavailable.\n\nPlease try again later.",
            ),
            (
                Maintenance,
                "港務局",
                "系統維護中",
                "本網站目前進行系統維護，暫停服務。造成不便，敬請見諒。",
            ),
            (Maintenance, "公告", "", "系統升級中，請稍後再試。"),
            (Maintenance, "公告", "", "系统维护中，请稍后再试。"),
            (
                NotFound,
                "Page not found - Harbour Board",
                "Page not found",
                "Try the search box or the site index.",
            ),
            (
                NotFound,
                "Harbour Board",
                "Oops!",
                "The page you are looking for doesn’t exist or has been moved.",
            ),
            (NotFound, "港務局", "找不到網頁", "您所瀏覽的網頁不存在或已移除，請回首頁。"),
            (NotFound, "查詢結果", "", "查無資料"),
            (
                NotFound,
                "Mooring grant",
                "Mooring grant",
                "Mooring grant\nThis page has been removed. The grant is no longer available.",
            ),
            (
                NotFound,
                "Berth fees",
                "Berth fees",
                "This guidance was withdrawn. Read the new guidance on berths instead.",
            ),
            (
                NotFound,
                "泊位補助",
                "泊位補助",
                "泊位補助\n本網頁已移除。相關補助業務已由他處辦理。",
            ),
            (NotFound, "繫泊津貼", "繫泊津貼", "抱歉，此頁面已下架。"),
            (SignIn, "Sign in", "", "User\nPassword"),
            (SignIn, "港務局｜會員登入", "", "請先登入後再查詢。\n帳號\n密碼"),
            (
                SignIn,
                "Harbour Board",
                "Session expired",
                "Your session has expired. Please log in again.",
            ),
            (Challenge, "Just a moment...", "", ""),
            (Challenge, "gov.example", "", "Verify you are human by completing the action below."),
            (Challenge, "安全驗證", "", "請完成驗證以繼續瀏覽。"),
        ] {
            assert_eq!(read(title, heading, text), Some(kind), "{title} / {heading} / {text}");
        }
    }

    #[test]
    fn pages_that_merely_contain_the_words_pass() {
        let rates = "You may get a mooring grant if you have used the harbour for two years. The grant is $120 a month. \
            It is paid on the fifth day of each month to the account you name. You must tell us within 14 days if you move.";
        for (title, heading, text) in [
            (
                "Child maintenance",
                "Child maintenance",
                "Child maintenance is paid by the parent who does not live with the child. The amount depends on income.",
            ),
            ("Mooring grant", "Mooring grant", rates),
            (
                "Mooring grant",
                "Mooring grant",
                &format!(
                    "{rates}\n\nOnline payment is temporarily unavailable. Please try again later."
                ),
            ),
            (
                "Help with the portal",
                "If the portal is temporarily unavailable",
                &format!(
                    "{rates} {rates} If the website is down, call the office and a clerk takes your claim by telephone. Keep the number you are given."
                ),
            ),
            ("How to sign in", "How to sign in to your account", rates),
            (
                "Lost documents",
                "If your permit cannot be found",
                "Tell the office at once. A new permit costs $15 and is sent within ten working days. The old number is struck from the list.",
            ),
            (
                "維護費補助辦法",
                "維護費補助辦法",
                "申請人每年得請領船舶維護費，最高新臺幣三萬六千元。逾期申請者不予補助。申請書向港務局索取。",
            ),
            (
                "暫停服務補償要點",
                "第 3 條",
                "渡輪暫停服務逾三日者，月票持有人得申請補償，每日補償新臺幣五十元，最高不超過十日。申請期限為恢復服務之次日起三十日內。",
            ),
            (
                "This scheme is closed",
                "This scheme is closed",
                "The pilot permit closed on 1 May. Holders keep their rights until the date printed on the permit.",
            ),
            (
                "Mooring grant",
                "Mooring grant",
                "This page has been removed from the index. You must apply by 1 May to get the grant.",
            ),
            (
                "Withdrawn guidance",
                "Withdrawn guidance",
                "This guidance was withdrawn on 3 March. You may still claim for 2 years if your permit was issued before.",
            ),
            ("泊位補助", "泊位補助", "本頁已移除舊表。申請人應於三十日內繳納。"),
            ("Storm grant", "", "public"),
        ] {
            assert_eq!(read(title, heading, text), None, "{title} / {text}");
        }
    }
}
