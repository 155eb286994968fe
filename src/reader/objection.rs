//! What speaks against a row, seen from the whole sentence it was taken from.
//!
//! Each check reads the page's sentence, not the row's clause; the first that finds something speaks.

use std::str::FromStr;

use rust_decimal::Decimal;

use crate::model::ask::ReviewWord;
use crate::model::claim::{Claim, Force, Join, Op, Value};
use crate::reader::clause::is_mostly_han;
use crate::reader::measure::measures_in;
use crate::reader::quote::{markers_of, stated_force_of};
use crate::reader::reread::{Placed, Quoted, Reread};
use crate::reader::stated::Measure;
use crate::text::amounts::quantity::read_all;
use crate::text::amounts::unit::parse_unit;
use crate::text::blocks::lead_in::join_of_lead;
use crate::text::blocks::outline::BlockKind;
use crate::text::dates::date::read_dates;
use crate::text::joins::combination::{Certainty, Combination};
use crate::text::joins::connective::join_of_ends;
use crate::text::markers::marker::{Marker, MarkerKind, StatedForce, Strength};
use crate::text::sentence::clauses_of_sentence;
use crate::text::span::Span;

/// Why a row does not stand as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Objection {
    pub word: ReviewWord,
    /// One sentence in the page's language.
    pub reason: String,
    /// The row as it should be; its snippet is filled in by the caller.
    pub corrected: Option<Claim>,
}

/// The first thing that speaks against the row, gravest first.
pub fn first_objection(
    reread: &Reread<'_>,
    placed: Placed<'_>,
    quoted: &Quoted,
) -> Option<Objection> {
    let whole = reread.sentence_around(placed.quote);
    let seen = Seen { reread, row: placed.row, quote: placed.quote, whole };
    seen.wrong_number()
        .or_else(|| seen.other_words())
        .or_else(|| seen.wrong_unit_or_operator())
        .or_else(|| seen.lost_negation())
        .or_else(|| seen.added_negation())
        .or_else(|| seen.lost_exception(quoted))
        .or_else(|| seen.lost_hedge())
        .or_else(|| seen.wrong_force())
        .or_else(|| seen.wrong_join(quoted))
        .or_else(|| seen.wrong_subject())
}

struct Seen<'a> {
    reread: &'a Reread<'a>,
    row: &'a Claim,
    quote: Span,
    /// The sentences the quote touches, with their provisos.
    whole: Span,
}

impl Seen<'_> {
    /// A number or date of the value that the sentence does not have.
    fn wrong_number(&self) -> Option<Objection> {
        let text = self.reread.words(self.whole);
        let missing = self.stated().into_iter().find(|it| !holds(text, it))?;
        Some(self.wrong(
            format!("The sentence does not say {missing}."),
            format!("這句話裡沒有{missing}。"),
            None,
        ))
    }

    /// A value in words that are those of another sentence.
    fn other_words(&self) -> Option<Objection> {
        let Value::Text(value) = &self.row.value else { return None };
        let is_date = value.parse::<jiff::civil::Date>().is_ok();
        (!is_date && !self.reread.says(self.whole, value)).then(|| {
            self.wrong(
                format!("The sentence does not say “{value}”."),
                format!("這句話沒有說「{value}」。"),
                None,
            )
        })
    }

    /// The numbers and dates of the value.
    fn stated(&self) -> Vec<String> {
        let one = |value: &Value| match value {
            Value::Number(it) => Some(it.to_string()),
            Value::Text(it) if it.parse::<jiff::civil::Date>().is_ok() => Some(it.clone()),
            _ => None,
        };
        match &self.row.value {
            Value::List(items) => items.iter().filter_map(one).collect(),
            value => one(value).into_iter().collect(),
        }
    }

    /// The number is there, but compared otherwise, or it counts something else.
    fn wrong_unit_or_operator(&self) -> Option<Objection> {
        if self.stated().is_empty() {
            return None;
        }
        let same: Vec<Measure> = measures_in(self.reread.text, self.whole)
            .into_iter()
            .filter(|it| it.value == self.row.value)
            .collect();
        if same.is_empty() {
            return None;
        }
        let agrees = |it: &&Measure| units_agree(self.row.unit.as_deref(), it.unit.as_deref());
        let right_unit: Vec<&Measure> = same.iter().filter(agrees).collect();
        let Some(first) = right_unit.first() else {
            let unit = same.first().and_then(|it| it.unit.clone()).unwrap_or_default();
            return Some(self.wrong(
                format!(
                    "The page counts {unit}, the row {}.",
                    self.row.unit.clone().unwrap_or_default()
                ),
                format!(
                    "頁面的單位是{unit}，資料列寫成{}。",
                    self.row.unit.clone().unwrap_or_default()
                ),
                Some(Claim { unit: Some(unit), ..self.row.clone() }),
            ));
        };
        if right_unit.iter().any(|it| same_op(it.op, self.row.op)) {
            return None;
        }
        Some(self.wrong(
            format!("The page says {}, the row {}.", first.op.as_str(), self.row.op.as_str()),
            format!("頁面的比較是{}，資料列寫成{}。", first.op.as_str(), self.row.op.as_str()),
            Some(Claim { op: first.op, ..self.row.clone() }),
        ))
    }

    /// A "not" that turns the value and stands neither in it nor in the operator.
    fn lost_negation(&self) -> Option<Objection> {
        let Value::Text(value) = &self.row.value else { return None };
        let at =
            self.reread.words(self.whole).find(value.as_str()).filter(|_| !value.is_empty())?;
        let value = Span::new(self.whole.start + at, self.whole.start + at + value.len());
        let states = matches!(self.row.op, Op::Is | Op::Eq | Op::In);
        let turned = self.markers().into_iter().find(|it| {
            it.kind == MarkerKind::Negation
                && it.span.end <= value.start
                && it.reach.contains(value)
                && (!self.quote.contains(it.span) || (states && self.is_plain_condition()))
        })?;
        let word = self.reread.words(turned.span);
        Some(self.wrong(
            format!("The page says “{word}” before these words, the row does not."),
            format!("這些字之前有「{word}」，資料列沒有。"),
            (states && self.is_plain_condition()).then(|| Claim { op: Op::Ne, ..self.row.clone() }),
        ))
    }

    /// A "not" before words that the sentence says without one.
    fn added_negation(&self) -> Option<Objection> {
        let Value::Text(value) = &self.row.value else { return None };
        let words = ["not ", "並非", "不"].iter().find_map(|it| value.strip_prefix(it))?;
        let whole = self.reread.words(self.whole);
        let is_added =
            !words.is_empty() && whole.contains(words) && !whole.contains(value.as_str());
        is_added.then(|| {
            self.wrong(
                format!("The page says “{words}”, without the “not” of the row."),
                format!("頁面寫「{words}」，沒有資料列裡的「不」。"),
                Some(Claim { value: Value::Text(words.to_owned()), ..self.row.clone() }),
            )
        })
    }

    /// Rows whose value is what must hold. What an exclusion or an exception says is turned as such.
    fn is_plain_condition(&self) -> bool {
        let value = self.row.value.to_string().to_lowercase();
        let tells =
            ["not ", "n't", "n’t", "no longer", "except", "unless", "不", "未", "免", "無", "非"];
        !tells.iter().any(|it| value.contains(it))
            && !["exclu", "excep", "penal"].iter().any(|it| self.row.field.contains(it))
    }

    /// An exception of the sentence that neither this quote nor any other row has.
    fn lost_exception(&self, quoted: &Quoted) -> Option<Objection> {
        let lost = self.markers().into_iter().find(|it| {
            it.kind == MarkerKind::Exception
                && !self.quote.contains(it.span)
                && it.reach.overlaps(self.quote)
                && !quoted.covers_apart_from(it.span, self.quote)
        })?;
        let word = self.reread.words(lost.span);
        Some(self.unsure(
            format!("An exception (“{word}”) stands outside the quote and in no other row."),
            format!("引文之外還有例外（「{word}」），沒有資料列載明。"),
        ))
    }

    /// A "usually" or "only" that reaches the quote and is not in it.
    fn lost_hedge(&self) -> Option<Objection> {
        let lost = self.markers().into_iter().find(|it| {
            matches!(it.kind, MarkerKind::Hedge | MarkerKind::Restriction)
                && !self.quote.contains(it.span)
                && it.reach.overlaps(self.quote)
        })?;
        let word = self.reread.words(lost.span);
        Some(self.unsure(
            format!("The page limits this (“{word}”), the quote does not."),
            format!("頁面以「{word}」加以限制，引文沒有。"),
        ))
    }

    /// Stronger or weaker than the clause that states it.
    fn wrong_force(&self) -> Option<Objection> {
        let claimed = self.row.force?;
        let stated = self.stated_force()?;
        let page = match stated.strength {
            Strength::Must | Strength::MustNot => Force::Must,
            Strength::Should => Force::Should,
            Strength::May => Force::May,
            Strength::InPrinciple => Force::InPrinciple,
            Strength::NeedNot => return None,
        };
        let is_strong = |it| matches!(it, Force::Must | Force::MustNot);
        let hardens = is_strong(claimed) && matches!(page, Force::May | Force::InPrinciple);
        let softens = claimed == Force::May && is_strong(page);
        (hardens || softens).then(|| {
            let word = self.reread.words(stated.span);
            self.wrong(
                format!("The page says “{word}”, the row {}.", claimed.as_str()),
                format!("頁面寫「{word}」，資料列寫成 {}。", claimed.as_str()),
                Some(Claim { force: Some(page), ..self.row.clone() }),
            )
        })
    }

    /// The force of the value's clause, of the clauses before it up to a semicolon, of the list's
    /// lead-in.
    fn stated_force(&self) -> Option<StatedForce> {
        let text = self.reread.text;
        let touched = self.reread.touched(self.quote);
        let clauses: Vec<Span> =
            touched.flat_map(|it| clauses_of_sentence(text, self.reread.sentences[it])).collect();
        let own = self.own_clause(&clauses)?;
        for &clause in clauses.iter().rev().filter(|it| it.start <= own.start) {
            let is_other = clause != own && self.reread.words(clause).ends_with(['；', ';']);
            if is_other {
                break;
            }
            if let Some(stated) = stated_force_of(text, clause).filter(|it| !self.tells_ability(it))
            {
                return Some(stated);
            }
        }
        let block = self.reread.outline.block_at(self.quote.start)?;
        let lead = self.reread.lists.lead_of(block)?;
        let stated = stated_force_of(text, self.reread.outline.blocks[lead].content);
        stated.filter(|it| !self.tells_ability(it))
    }

    /// "can" tells what somebody is able to do, not how strong the rule is.
    fn tells_ability(&self, stated: &StatedForce) -> bool {
        self.reread.words(stated.span).to_ascii_lowercase().contains("can")
    }

    /// The clause that the value's words or number stand in.
    fn own_clause(&self, clauses: &[Span]) -> Option<Span> {
        let value = match &self.row.value {
            Value::Text(value) => {
                let at = self.reread.words(self.quote).find(value.as_str())?;
                Span::new(self.quote.start + at, self.quote.start + at + value.len())
            }
            value => {
                let measures = measures_in(self.reread.text, self.quote);
                measures.into_iter().find(|it| &it.value == value)?.number
            }
        };
        clauses.iter().copied().find(|it| it.overlaps(value))
    }

    /// Combined otherwise than the list's own words say.
    fn wrong_join(&self, quoted: &Quoted) -> Option<Objection> {
        let (claimed, group) = (self.row.join?, self.row.group.as_deref()?);
        let outline = &self.reread.outline;
        let block = outline.block_at(self.quote.start)?;
        if outline.blocks[block].kind != BlockKind::ListItem {
            return None;
        }
        let is_one_sentence = quoted.extent(group).is_none_or(|it| self.whole.contains(it));
        let lead = self.reread.lists.lead_of(block).filter(|_| !is_one_sentence)?;
        let items = self.reread.lists.items_of(lead);
        let stated = join_of_lead(self.reread.text, outline.blocks[lead].content)
            .or_else(|| join_of_ends(self.reread.text, outline, items))
            .filter(|it| it.certainty != Certainty::Ambiguous)?;
        let page = match stated.combination {
            Combination::All => Join::All,
            Combination::Any => Join::Any,
            Combination::None => Join::None,
        };
        (page != claimed).then(|| {
            let word = self.reread.words(stated.span);
            let objection = self.wrong(
                format!("The list says “{word}”, the row {}.", claimed.as_str()),
                format!("清單寫「{word}」，資料列寫成 {}。", claimed.as_str()),
                Some(Claim { join: Some(page), ..self.row.clone() }),
            );
            if stated.certainty == Certainty::Stated {
                objection
            } else {
                Objection { word: ReviewWord::Unsure, corrected: None, ..objection }
            }
        })
    }

    /// A subject of several words none of which the section or anything above it has.
    fn wrong_subject(&self) -> Option<Objection> {
        let subject = &self.row.subject;
        (!self.reread.speaks_of(subject)).then(|| {
            self.wrong(
                format!("Neither the section nor its headings speak of “{subject}”."),
                format!("段落與標題都沒有提到「{subject}」。"),
                None,
            )
        })
    }

    fn markers(&self) -> Vec<Marker> {
        let touched = self.reread.touched(self.quote);
        touched.flat_map(|it| markers_of(self.reread.text, self.reread.sentences[it])).collect()
    }

    fn wrong(&self, english: String, chinese: String, corrected: Option<Claim>) -> Objection {
        Objection { word: ReviewWord::Wrong, reason: self.say(english, chinese), corrected }
    }

    fn unsure(&self, english: String, chinese: String) -> Objection {
        Objection { word: ReviewWord::Unsure, reason: self.say(english, chinese), corrected: None }
    }

    fn say(&self, english: String, chinese: String) -> String {
        if is_mostly_han(self.reread.words(self.whole)) { chinese } else { english }
    }
}

/// True where a number, share or date stands in the words.
fn holds(words: &str, wanted: &str) -> bool {
    if let Ok(date) = wanted.parse::<jiff::civil::Date>() {
        let dates = read_dates(words);
        return dates.iter().any(|it| it.candidates.iter().any(|it| it.date() == Some(date)));
    }
    let Ok(wanted) = Decimal::from_str(wanted) else { return true };
    let is_wanted = |it: Decimal| {
        it == wanted || (wanted.scale() >= 3 && (it - wanted).abs() < Decimal::new(1, 3))
    };
    let readings = read_all(words);
    readings.numbers.iter().any(|it| is_wanted(it.value) || it.percent().is_some_and(is_wanted))
        || readings.quantities.iter().any(|it| it.implied && wanted == Decimal::ONE)
        || read_dates(words).iter().any(|it| {
            it.candidates.iter().any(|it| it.year.is_some_and(|it| Decimal::from(it) == wanted))
        })
}

/// `=`, `is` and `in` say one thing.
fn same_op(page: Op, row: Op) -> bool {
    let is_plain = |op| matches!(op, Op::Eq | Op::Is | Op::In);
    page == row || (is_plain(page) && is_plain(row))
}

/// What only one of them names is no disagreement.
fn units_agree(row: Option<&str>, page: Option<&str>) -> bool {
    let (Some(row), Some(page)) = (row, page) else { return true };
    if row == page {
        return true;
    }
    match (parse_unit(row), parse_unit(page)) {
        (Some(row), Some(page)) => row.agrees_with(&page),
        _ => true,
    }
}
