//! Numbers written in Chinese numerals, alone or mixed with digits (三萬六千, 36.5萬, 百分之五十).
//! Reads what stands there; whether it is a value or a piece of a word is for `role` to say.

use rust_decimal::Decimal;

use crate::text::lexeme::{LexKind, Lexemes};
use crate::text::numbers::numeral_digits::{decimal, read_digits};

/// How the value of a number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The number itself.
    Plain,
    /// Hundredths: the value is 50 for 50%, 百分之五十, 五成.
    Percent,
    /// Thousandths.
    Permille,
    /// Numerator and denominator; the value is their quotient.
    Fraction(Decimal, Decimal),
}

/// A number in Chinese numerals.
#[derive(Clone, Debug)]
pub struct HanReading {
    /// Lexeme after the number.
    pub end: usize,
    /// Its value; `None` beyond what a decimal holds.
    pub value: Option<Decimal>,
    /// How the value is meant.
    pub form: Form,
    /// Numeral characters read.
    pub chars: usize,
    /// True for 〇一二三 read digit by digit (一一二, 二〇二三).
    pub positional: bool,
    /// True where the text leaves the value open (十餘, 三四十, 二十幾).
    pub approximate: bool,
    /// True where the number opens with a scale and no digit (百, 千, 萬元).
    pub bare_scale: bool,
    /// True where Arabic digits took part.
    pub has_digits: bool,
}

/// Value of a Chinese digit, everyday or formal.
pub fn han_digit(it: char) -> Option<u32> {
    Some(match it {
        '〇' | '零' => 0,
        '一' | '壹' => 1,
        '二' | '貳' | '兩' => 2,
        '三' | '參' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陸' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

/// 十, 百, 千 and their formal forms.
fn han_unit(it: char) -> Option<u32> {
    Some(match it {
        '十' | '拾' => 10,
        '百' | '佰' => 100,
        '千' | '仟' => 1000,
        _ => return None,
    })
}

fn han_twenty(it: char) -> Option<u32> {
    Some(match it {
        '廿' => 20,
        '卅' => 30,
        '卌' => 40,
        _ => return None,
    })
}

fn han_big(it: char) -> Option<u64> {
    Some(match it {
        '萬' => 10_000,
        '億' => 100_000_000,
        '兆' => 1_000_000_000_000,
        _ => return None,
    })
}

/// True for every character a Chinese numeral is made of.
pub fn is_han_numeral(it: char) -> bool {
    han_digit(it).is_some()
        || han_unit(it).is_some()
        || han_twenty(it).is_some()
        || han_big(it).is_some()
}

/// True for the formal numerals that also are, or end, everyday words (伍, 拾, 陸, 參 …).
pub fn is_formal(it: char) -> bool {
    "壹貳參肆伍陸柒捌玖拾佰仟".contains(it)
}

/// A numeral without 分之, 又 or 成.
pub fn read_plain(lexemes: &Lexemes<'_>, at: usize) -> Option<HanReading> {
    let read = match positional(lexemes, at) {
        Some(it) => it,
        None => Sections::default().read(lexemes, at)?,
    };
    let mut read = with_decimals(lexemes, read);
    read.approximate |= is_indefinite(lexemes, &read);
    Some(read)
}

/// True where the lexeme at `at` is a numeral that passes `test`.
pub fn is_numeral(lexemes: &Lexemes<'_>, at: usize, test: impl Fn(char) -> bool) -> bool {
    lexemes.kind(at) == LexKind::Han && test(lexemes.head(at))
        || lexemes.kind(at) == LexKind::Mark && lexemes.head(at) == '〇'
}

/// Two or more digits in a row with no scale after them: 一一二, 二〇二三.
fn positional(lexemes: &Lexemes<'_>, at: usize) -> Option<HanReading> {
    let mut end = at;
    let mut spelled = String::new();
    while is_numeral(lexemes, end, |it| han_digit(it).is_some()) {
        if spelled.len() < 64 {
            let digit = han_digit(lexemes.head(end)).unwrap_or(0);
            spelled.extend(char::from_digit(digit, 10));
        }
        end += 1;
    }
    let chars = end - at;
    let scale_follows = is_numeral(lexemes, end, |it| {
        han_unit(it).is_some() || han_big(it).is_some() || han_twenty(it).is_some()
    });
    if chars < 2 || scale_follows {
        return None;
    }
    let neighbours = chars == 2 && {
        let mut digits = spelled.bytes();
        let pair = (digits.next().unwrap_or(0), digits.next().unwrap_or(0));
        pair.0 > b'0' && pair.0 + 1 == pair.1
    };
    Some(HanReading {
        end,
        value: decimal(&spelled, ""),
        form: Form::Plain,
        chars,
        positional: true,
        approximate: neighbours,
        bare_scale: false,
        has_digits: false,
    })
}

/// The state of reading 三億二千萬零五百: finished sections, the section under way, the digit that
/// waits for its unit.
#[derive(Default)]
struct Sections {
    total: Decimal,
    section: Decimal,
    waiting: Option<Decimal>,
    waiting_is_arabic: bool,
    lowest_unit: Option<u32>,
    lowest_big: Option<u64>,
    zero_since_unit: bool,
    overflow: bool,
    bare: bool,
    approximate: bool,
    arabic: bool,
}

impl Sections {
    fn read(mut self, lexemes: &Lexemes<'_>, start: usize) -> Option<HanReading> {
        let mut at = start;
        let mut chars = 0;
        loop {
            let next = match lexemes.kind(at) {
                LexKind::Digits => self.arabic(lexemes, at, start),
                LexKind::Han | LexKind::Mark => self.han(lexemes, at, start),
                _ => None,
            };
            let Some(next) = next else { break };
            chars += usize::from(lexemes.kind(at) == LexKind::Han);
            at = next;
        }
        let nothing = at == start || self.arabic && chars == 0;
        if nothing {
            return None;
        }
        let value = if self.overflow { None } else { self.value() };
        Some(HanReading {
            end: at,
            value,
            form: Form::Plain,
            chars,
            positional: false,
            approximate: self.approximate,
            bare_scale: self.bare,
            has_digits: self.arabic,
        })
    }

    fn arabic(&mut self, lexemes: &Lexemes<'_>, at: usize, start: usize) -> Option<usize> {
        let read = read_digits(lexemes, at)?;
        let value = read.value?;
        let room = match (self.lowest_unit, self.lowest_big) {
            (Some(unit), _) => Decimal::from(unit),
            (None, Some(big)) => Decimal::from(big),
            (None, None) => Decimal::MAX,
        };
        let fits = at == start || self.lowest_unit.is_some() || self.lowest_big.is_some();
        if self.waiting.is_some() || !fits || value >= room {
            return None;
        }
        self.waiting = Some(value);
        self.waiting_is_arabic = true;
        self.arabic = true;
        Some(read.end)
    }

    fn han(&mut self, lexemes: &Lexemes<'_>, at: usize, start: usize) -> Option<usize> {
        let it = lexemes.head(at);
        if let Some(digit) = han_digit(it) {
            return self.digit(digit, at, start, lexemes);
        }
        if let Some(unit) = han_unit(it) {
            return self.unit(unit, lexemes, at, start);
        }
        if let Some(value) = han_twenty(it) {
            if self.waiting.is_some() || self.lowest_unit.is_some_and(|it| it <= 10) {
                return None;
            }
            self.add(Some(Decimal::from(value)));
            self.lowest_unit = Some(10);
            self.zero_since_unit = false;
            return Some(at + 1);
        }
        self.big(han_big(it)?, lexemes, at, start)
    }

    fn digit(
        &mut self,
        digit: u32,
        at: usize,
        start: usize,
        lexemes: &Lexemes<'_>,
    ) -> Option<usize> {
        if digit == 0 {
            let after_unit = self.lowest_unit.is_some() || self.lowest_big.is_some();
            if self.waiting.is_some() || !(after_unit || at == start) || self.zero_since_unit {
                return None;
            }
            self.zero_since_unit = true;
            if at == start {
                self.waiting = Some(Decimal::ZERO);
            }
            return Some(at + 1);
        }
        match self.waiting {
            // 三四十: the text gives two values; the first stands for both.
            Some(_) if at == start + 1 && !self.waiting_is_arabic => {
                let unit_follows = is_numeral(lexemes, at + 1, |it| han_unit(it).is_some());
                if !unit_follows {
                    return None;
                }
                self.approximate = true;
                Some(at + 1)
            }
            // 十五六: likewise.
            Some(it)
                if self.lowest_unit == Some(10) && it + Decimal::ONE == Decimal::from(digit) =>
            {
                self.approximate = true;
                Some(at + 1)
            }
            Some(_) => None,
            None => {
                self.waiting = Some(Decimal::from(digit));
                self.waiting_is_arabic = false;
                Some(at + 1)
            }
        }
    }

    fn unit(&mut self, unit: u32, lexemes: &Lexemes<'_>, at: usize, start: usize) -> Option<usize> {
        // 5千瓦 is a number of kilowatts, not of watts.
        let is_measure =
            unit == 1000 && matches!(lexemes.head(at + 1), '瓦' | '克' | '米' | '卡' | '赫');
        if is_measure || self.lowest_unit.is_some_and(|it| it <= unit) {
            return None;
        }
        let times = match self.waiting.take() {
            Some(it) if it.is_zero() => return self.put_back(it),
            Some(it) => it,
            None if unit == 10 || at == start => {
                self.bare = at == start && unit != 10;
                Decimal::ONE
            }
            None => return None,
        };
        self.add(times.checked_mul(Decimal::from(unit)));
        self.lowest_unit = Some(unit);
        self.zero_since_unit = false;
        Some(at + 1)
    }

    fn put_back(&mut self, it: Decimal) -> Option<usize> {
        self.waiting = Some(it);
        None
    }

    fn big(&mut self, big: u64, _: &Lexemes<'_>, at: usize, start: usize) -> Option<usize> {
        let here = match (self.waiting, self.lowest_unit) {
            (Some(it), _) if it.is_zero() => return None,
            (Some(it), _) => self.section.checked_add(it),
            (None, Some(_)) => Some(self.section),
            // 一萬億: a scale upon a scale.
            (None, None) if self.lowest_big.is_some_and(|it| it < big) && !self.zero_since_unit => {
                let scaled = self.total.checked_mul(Decimal::from(big));
                self.overflow |= scaled.is_none();
                self.total = scaled.unwrap_or_default();
                self.lowest_big = Some(big);
                return Some(at + 1);
            }
            (None, None) if at == start => {
                self.bare = true;
                Some(Decimal::ONE)
            }
            (None, None) => return None,
        };
        if self.lowest_big.is_some_and(|it| it <= big) {
            return None;
        }
        let added = here
            .and_then(|it| it.checked_mul(Decimal::from(big)))
            .and_then(|it| self.total.checked_add(it));
        self.overflow |= added.is_none();
        self.total = added.unwrap_or_default();
        self.section = Decimal::ZERO;
        self.waiting = None;
        self.lowest_unit = None;
        self.lowest_big = Some(big);
        self.zero_since_unit = false;
        Some(at + 1)
    }

    fn add(&mut self, value: Option<Decimal>) {
        let sum = value.and_then(|it| self.section.checked_add(it));
        self.overflow |= sum.is_none();
        self.section = sum.unwrap_or_default();
    }

    fn value(&self) -> Option<Decimal> {
        let last = match (self.waiting, self.lowest_unit, self.lowest_big) {
            (None, _, _) => Decimal::ZERO,
            (Some(it), _, _) if self.zero_since_unit || it >= Decimal::TEN => it,
            // 一百二 is 120 and 三萬六 is 36,000: the unit after the last one is left out.
            (Some(it), Some(unit), _) if unit > 10 => it.checked_mul(Decimal::from(unit / 10))?,
            (Some(it), None, Some(big)) => it.checked_mul(Decimal::from(big / 10))?,
            (Some(it), _, _) => it,
        };
        self.total.checked_add(self.section)?.checked_add(last)
    }
}

/// 二點五, 零點三, 一點五萬.
fn with_decimals(lexemes: &Lexemes<'_>, read: HanReading) -> HanReading {
    // 六．五 and 六·五 as printed in tables and standards.
    let is_point = matches!(lexemes.head(read.end), '點' | '.' | '．' | '·' | '‧');
    if !is_point || read.form != Form::Plain || read.has_digits {
        return read;
    }
    let mut end = read.end + 1;
    let mut tail = String::new();
    while is_numeral(lexemes, end, |it| han_digit(it).is_some()) && tail.len() < 40 {
        tail.extend(han_digit(lexemes.head(end)).and_then(|it| char::from_digit(it, 10)));
        end += 1;
    }
    let clock = matches!(lexemes.head(end), '分' | '刻') && lexemes.head(end + 1) != '之'
        || is_numeral(lexemes, end, |it| han_unit(it).is_some_and(|it| it < 1000));
    let Some(whole) = read.value.filter(|_| !tail.is_empty() && !clock) else { return read };
    let Some(mut value) = decimal(&whole.to_string(), &tail) else { return read };
    let mut chars = read.chars + 1 + tail.len();
    let scale = han_big(lexemes.head(end)).or(han_unit(lexemes.head(end)).map(u64::from));
    if let Some(scaled) = scale.and_then(|it| value.checked_mul(Decimal::from(it))) {
        value = scaled;
        end += 1;
        chars += 1;
    }
    HanReading { end, value: Some(value.normalize()), chars, positional: false, ..read }
}

/// 十餘, 二十幾, 一百多: more than the number says.
fn is_indefinite(lexemes: &Lexemes<'_>, read: &HanReading) -> bool {
    let open = matches!(lexemes.head(read.end), '餘' | '幾')
        || lexemes.head(read.end) == '多' && lexemes.head(read.end + 1) != '數';
    open && read.value.is_some_and(|it| (it % Decimal::TEN).is_zero())
}

/// A numeral, or digits, with nothing upon them.
pub fn read_plain_or_digits(lexemes: &Lexemes<'_>, at: usize) -> Option<HanReading> {
    if let Some(it) = read_plain(lexemes, at) {
        return Some(it);
    }
    let read = read_digits(lexemes, at)?;
    Some(HanReading {
        end: read.end,
        value: read.value,
        form: Form::Plain,
        chars: 0,
        positional: false,
        approximate: false,
        bare_scale: false,
        has_digits: true,
    })
}
