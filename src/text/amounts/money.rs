//! Currencies as pages write them, before or after the amount. Never converts between currencies.

use std::sync::LazyLock;

use crate::text::lexeme::{LexKind, Lexemes, PhraseTable, is_hyphen};

/// A currency, as far as the wording tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Currency {
    /// Its ISO 4217 code.
    Code(&'static str),
    /// A bare `$` or "dollars": one of the currencies that use it.
    Dollar,
    /// A bare 元, 圓 or 塊: one of the currencies that use it.
    Yuan,
    /// A bare ¥.
    Yen,
    /// Cents, pence, 角, 分: a part of a currency that the wording leaves open.
    Cent,
}

impl Currency {
    /// True where both can name one currency.
    pub fn agrees_with(self, other: Currency) -> bool {
        const DOLLARS: &[&str] = &["USD", "HKD", "TWD", "SGD", "AUD", "CAD", "NZD"];
        const YUAN: &[&str] = &["TWD", "HKD", "CNY", "MOP"];
        const YEN: &[&str] = &["JPY", "CNY"];
        let may_be = |open: Currency, code: &str| match open {
            Currency::Dollar => DOLLARS.contains(&code),
            Currency::Yuan => YUAN.contains(&code),
            Currency::Yen => YEN.contains(&code),
            Currency::Code(own) => own == code,
            Currency::Cent => false,
        };
        match (self, other) {
            (Currency::Code(code), open) | (open, Currency::Code(code)) => may_be(open, code),
            (Currency::Cent, it) | (it, Currency::Cent) => it == Currency::Cent,
            (Currency::Dollar, Currency::Yuan) | (Currency::Yuan, Currency::Dollar) => true,
            (Currency::Yen, Currency::Yuan) | (Currency::Yuan, Currency::Yen) => true,
            (one, two) => one == two,
        }
    }
}

/// Wordings that stand before an amount.
const BEFORE: &[(&str, Currency)] = &[
    ("hk$", Currency::Code("HKD")),
    ("hkd", Currency::Code("HKD")),
    ("hkd$", Currency::Code("HKD")),
    ("港幣", Currency::Code("HKD")),
    ("港元", Currency::Code("HKD")),
    ("港紙", Currency::Code("HKD")),
    ("nt$", Currency::Code("TWD")),
    ("ntd", Currency::Code("TWD")),
    ("nt", Currency::Code("TWD")),
    ("ntd$", Currency::Code("TWD")),
    ("twd", Currency::Code("TWD")),
    ("新臺幣", Currency::Code("TWD")),
    ("臺幣", Currency::Code("TWD")),
    ("us$", Currency::Code("USD")),
    ("usd", Currency::Code("USD")),
    ("usd$", Currency::Code("USD")),
    ("美元", Currency::Code("USD")),
    ("美金", Currency::Code("USD")),
    ("a$", Currency::Code("AUD")),
    ("au$", Currency::Code("AUD")),
    ("aud", Currency::Code("AUD")),
    ("c$", Currency::Code("CAD")),
    ("ca$", Currency::Code("CAD")),
    ("cad", Currency::Code("CAD")),
    ("s$", Currency::Code("SGD")),
    ("sgd", Currency::Code("SGD")),
    ("nz$", Currency::Code("NZD")),
    ("nzd", Currency::Code("NZD")),
    ("sg$", Currency::Code("SGD")),
    ("chf", Currency::Code("CHF")),
    ("inr", Currency::Code("INR")),
    ("₹", Currency::Code("INR")),
    ("krw", Currency::Code("KRW")),
    ("myr", Currency::Code("MYR")),
    ("thb", Currency::Code("THB")),
    ("sek", Currency::Code("SEK")),
    ("nok", Currency::Code("NOK")),
    ("dkk", Currency::Code("DKK")),
    ("mop", Currency::Code("MOP")),
    ("mop$", Currency::Code("MOP")),
    ("澳門元", Currency::Code("MOP")),
    ("rmb", Currency::Code("CNY")),
    ("cny", Currency::Code("CNY")),
    ("人民幣", Currency::Code("CNY")),
    ("jpy", Currency::Code("JPY")),
    ("日圓", Currency::Code("JPY")),
    ("日幣", Currency::Code("JPY")),
    ("£", Currency::Code("GBP")),
    ("gbp", Currency::Code("GBP")),
    ("英鎊", Currency::Code("GBP")),
    ("€", Currency::Code("EUR")),
    ("eur", Currency::Code("EUR")),
    ("歐元", Currency::Code("EUR")),
    ("$", Currency::Dollar),
    ("¥", Currency::Yen),
    ("￥", Currency::Yen),
    ("￡", Currency::Code("GBP")),
];

/// Wordings that stand after an amount; `~` is an optional plural s.
const AFTER: &[(&str, Currency)] = &[
    ("元", Currency::Yuan),
    ("元整", Currency::Yuan),
    ("圓", Currency::Yuan),
    ("圓整", Currency::Yuan),
    ("塊", Currency::Yuan),
    ("塊錢", Currency::Yuan),
    ("新臺幣", Currency::Code("TWD")),
    ("元新臺幣", Currency::Code("TWD")),
    ("元港幣", Currency::Code("HKD")),
    ("港元", Currency::Code("HKD")),
    ("港幣", Currency::Code("HKD")),
    ("美元", Currency::Code("USD")),
    ("美金", Currency::Code("USD")),
    ("歐元", Currency::Code("EUR")),
    ("英鎊", Currency::Code("GBP")),
    ("日圓", Currency::Code("JPY")),
    ("日元", Currency::Code("JPY")),
    ("澳門元", Currency::Code("MOP")),
    ("人民幣", Currency::Code("CNY")),
    ("dollar~", Currency::Dollar),
    ("us dollar~", Currency::Code("USD")),
    ("u.s. dollar~", Currency::Code("USD")),
    ("hong kong dollar~", Currency::Code("HKD")),
    ("hk dollar~", Currency::Code("HKD")),
    ("new taiwan dollar~", Currency::Code("TWD")),
    ("nt dollar~", Currency::Code("TWD")),
    ("taiwan dollar~", Currency::Code("TWD")),
    ("singapore dollar~", Currency::Code("SGD")),
    ("canadian dollar~", Currency::Code("CAD")),
    ("australian dollar~", Currency::Code("AUD")),
    ("new zealand dollar~", Currency::Code("NZD")),
    ("usd", Currency::Code("USD")),
    ("hkd", Currency::Code("HKD")),
    ("twd", Currency::Code("TWD")),
    ("ntd", Currency::Code("TWD")),
    ("gbp", Currency::Code("GBP")),
    ("eur", Currency::Code("EUR")),
    ("aud", Currency::Code("AUD")),
    ("cad", Currency::Code("CAD")),
    ("sgd", Currency::Code("SGD")),
    ("cny", Currency::Code("CNY")),
    ("rmb", Currency::Code("CNY")),
    ("jpy", Currency::Code("JPY")),
    ("mop", Currency::Code("MOP")),
    ("pound~ sterling", Currency::Code("GBP")),
    ("pound~", Currency::Code("GBP")),
    ("euro~", Currency::Code("EUR")),
    ("yen", Currency::Code("JPY")),
    ("yuan", Currency::Code("CNY")),
    ("cent~", Currency::Cent),
    ("penny", Currency::Cent),
    ("pence", Currency::Cent),
    ("¢", Currency::Cent),
    ("€", Currency::Code("EUR")),
    ("£", Currency::Code("GBP")),
    ("角", Currency::Cent),
    ("毫", Currency::Cent),
    ("元正", Currency::Yuan),
];

static BEFORE_TABLE: LazyLock<PhraseTable<Currency>> =
    LazyLock::new(|| PhraseTable::new(BEFORE.iter().copied()));
static AFTER_TABLE: LazyLock<PhraseTable<Currency>> =
    LazyLock::new(|| PhraseTable::new(AFTER.iter().copied()));

/// The most lexemes a currency takes before an amount.
const LONGEST_BEFORE: usize = 6;

/// The currency written right before the amount that starts at `at`: its first lexeme and itself.
pub fn currency_before(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, Currency)> {
    let mut found = None;
    let mut start = at;
    for _ in 0..LONGEST_BEFORE {
        let Some(before) = start.checked_sub(1) else { break };
        start = before;
        if let Some((end, currency)) = before_at(lexemes, start) {
            let touches = lexemes.solid(end) == at || end == at;
            if touches {
                found = Some((start, currency));
            }
        }
    }
    found
}

/// `HK$`, `NT$`: the letters and the sign stand together.
fn before_at(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, Currency)> {
    // "N.T.$", "U.S.$"
    if lexemes.head(at + 1) == '.' && lexemes.head(at + 3) == '.' && lexemes.head(at + 4) == '$' {
        let joined = format!("{}{}$", lexemes.head(at), lexemes.head(at + 2));
        if let Some((_, currency)) = BEFORE.iter().find(|(it, _)| *it == joined) {
            return Some((at + 5, *currency));
        }
    }
    if lexemes.head(at + 1) == '$' {
        let letters = lexemes.slice(at);
        let letters = if letters.len() <= 4 { letters.to_lowercase() } else { String::new() };
        let joined = format!("{letters}$");
        if let Some((_, currency)) = BEFORE.iter().find(|(it, _)| *it == joined) {
            return Some((at + 2, *currency));
        }
    }
    BEFORE_TABLE.longest_at(lexemes, at)
}

/// Words that open with a money character and name no money.
const NOT_MONEY: &[&str] = &[
    "角形", "角度", "角洲", "角色", "角落", "角膜", "角錐", "元素", "元件", "元首", "元旦", "元年",
    "元配", "圓形", "圓周", "圓桌", "塊狀", "毫米", "毫升", "毫克", "毫無", "毫不",
];

/// The currency written after the amount that ends at `at`: the lexeme after it and itself.
pub fn currency_after(lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, usize, Currency)> {
    if lexemes.kind(at) == LexKind::Break {
        return None;
    }
    let start = lexemes.solid(at);
    if start == at && lexemes.is_word(at, "p") {
        return (!names_a_form(lexemes, at)).then_some((at, at + 1, Currency::Cent));
    }
    let start = if lexemes.head(start) == '-' { start + 1 } else { start };
    if NOT_MONEY.iter().any(|it| lexemes.phrase_at(start, it).is_some()) {
        return None;
    }
    let (end, currency) = AFTER_TABLE.longest_at(lexemes, start)?;
    // The sign before the next amount is not the sign of this one.
    let leads = lexemes.kind(start) == LexKind::Mark && lexemes.kind(end) == LexKind::Digits;
    (!leads).then_some((start, end, currency))
}

/// True where digits and the "p" at `at` are a part of a number of something: "Form 21P-534", "21P‑601EZ",
/// "Section 12P". "50p", "50p-60p" and "5p-a-day" are sums.
fn names_a_form(lexemes: &Lexemes<'_>, at: usize) -> bool {
    const NAMES: &[&str] = &[
        "form",
        "forms",
        "section",
        "sections",
        "paragraph",
        "schedule",
        "regulation",
        "article",
        "appendix",
        "annex",
        "room",
        "flat",
        "platform",
        "gate",
        "bus",
        "route",
        "no",
        "number",
    ];
    let is_hyphen = |at: usize| is_hyphen(lexemes.head(at));
    if is_hyphen(at + 1) && lexemes.kind(at + 2) == LexKind::Digits {
        return !lexemes.is_word(at + 3, "p")
            && AFTER_TABLE.longest_at(lexemes, lexemes.solid(at + 3)).is_none();
    }
    let Some(digits) = at.checked_sub(1) else { return false };
    let is_named = lexemes.solid_before(digits).is_some_and(|it| lexemes.is_word_of(it, NAMES));
    // "VA-21P": a sum in pence is written with a small letter.
    let is_joined = digits.checked_sub(2).is_some_and(|it| {
        is_hyphen(it + 1) && lexemes.kind(it) == LexKind::Word && lexemes.slice(at) == "P"
    });
    is_named || is_joined
}

/// The currency that a whole word names, as models write it in a unit: `HKD`, `NT$`, `元`, `dollars`.
pub fn currency_named(word: &str) -> Option<Currency> {
    let word = word.trim().to_lowercase().replace('台', "臺").replace(['＄', '﹩'], "$");
    let all = || BEFORE.iter().chain(AFTER);
    let exact = all().find(|(it, _)| {
        *it == word
            || it.strip_suffix('~').is_some_and(|stem| word == stem || word == format!("{stem}s"))
    });
    exact.map(|(_, it)| *it).or_else(|| {
        let cut = word.strip_suffix("元")?;
        all().find(|(it, _)| *it == cut).map(|(_, it)| *it)
    })
}
