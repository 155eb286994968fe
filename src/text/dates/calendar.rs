//! Dates as values: as much of one as a text states, in the calendar it is written in.
//! Never guesses a part that is not stated.
//!
//! The Republic of China calendar counts from 1912: its year is the Gregorian year less 1911.

use jiff::civil::Date;

use crate::text::span::Span;

/// Difference between the Gregorian year and the year of the Republic.
pub const ROC_OFFSET: i16 = 1911;

/// A date, or as much of it as the text states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartialDate {
    /// Gregorian year.
    pub year: Option<i16>,
    /// 1 to 12.
    pub month: Option<i8>,
    /// 1 to 31.
    pub day: Option<i8>,
}

impl PartialDate {
    /// The calendar day, where all three parts are stated.
    pub fn date(self) -> Option<Date> {
        Date::new(self.year?, self.month?, self.day?).ok()
    }

    /// True where every part that `other` states is stated here, with the same value.
    pub fn covers(self, other: PartialDate) -> bool {
        let part = |own: Option<i16>, wanted: Option<i16>| wanted.is_none() || own == wanted;
        part(self.year, other.year)
            && part(self.month.map(i16::from), other.month.map(i16::from))
            && part(self.day.map(i16::from), other.day.map(i16::from))
    }

    /// True where the stated parts can be a date: no 30 February.
    pub fn is_possible(self) -> bool {
        let year = self.year.unwrap_or(2000);
        match (self.month, self.day) {
            (Some(month), Some(day)) => Date::new(year, month, day).is_ok(),
            (Some(month), None) => (1..=12).contains(&month),
            (None, Some(_)) => false,
            (None, None) => self.year.is_some(),
        }
    }
}

/// The calendar a date is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calendar {
    /// Years of the common era.
    Gregorian,
    /// Years of the Republic of China (民國).
    Roc,
}

/// One date in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateToken {
    /// Where it stands, with its era and 年月日.
    pub span: Span,
    /// Every reading, the likelier first; two or more where day and month may be swapped.
    pub candidates: Vec<PartialDate>,
    /// The calendar it is written in; `candidates` are always Gregorian.
    pub calendar: Calendar,
    /// True where the words may as well be a length of time (一月, 112年).
    pub may_be_duration: bool,
    /// First lexeme.
    pub first: usize,
    /// Lexeme after the last.
    pub end: usize,
}

impl DateToken {
    /// True where the text can be read as more than one date.
    pub fn is_ambiguous(&self) -> bool {
        self.candidates.len() > 1
    }
}
