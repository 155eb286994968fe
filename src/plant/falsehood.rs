//! What a row can be made false by, so that somebody who reads the page must see it.
//!
//! Every falsehood but the last leaves the quote true: only the page's meaning tells. A change that
//! leaves a true row, or one that the gate would let stand, is never given out.

use crate::gate::judge::Bench;
use crate::gate::page::PageText;
use crate::model::claim::{Claim, Value};
use crate::model::finding::{Code, Verdict};
use crate::plant::dice::Dice;
use crate::plant::kind::Kind;
use crate::plant::quote::plant_quote;
use crate::plant::soil::{Plant, Soil, number_of};
use crate::plant::value::plant_value;
use crate::plant::words::{other_subject, other_words, plant_words};

/// What is wrong with a row that was made false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Falsehood {
    Operator,
    Value,
    /// A value in words, of something else that the page says.
    Words,
    Unit,
    Join,
    Force,
    /// A "not" lost from the quote, or put into the value.
    Negation,
    /// The quote ends before its exception.
    Exception,
    /// The quote leaves out what softens or narrows it.
    Hedge,
    /// Somebody or something that another section of the page is about.
    Subject,
    /// The quote itself is no longer the page's.
    Quote,
}

impl Falsehood {
    /// The form used in JSON and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Falsehood::Operator => "operator",
            Falsehood::Value => "value",
            Falsehood::Words => "words",
            Falsehood::Unit => "unit",
            Falsehood::Join => "join",
            Falsehood::Force => "force",
            Falsehood::Negation => "negation",
            Falsehood::Exception => "exception",
            Falsehood::Hedge => "hedge",
            Falsehood::Subject => "subject",
            Falsehood::Quote => "quote",
        }
    }

    fn kinds(self) -> &'static [Kind] {
        match self {
            Falsehood::Operator => &[Kind::OperatorAtBorder, Kind::OperatorTurned],
            Falsehood::Value => &[
                Kind::DigitChanged,
                Kind::DigitsSwapped,
                Kind::DigitLost,
                Kind::ScaleLost,
                Kind::CalendarConfused,
            ],
            Falsehood::Unit => &[Kind::UnitChanged],
            Falsehood::Join => &[Kind::JoinFlipped],
            Falsehood::Force => &[Kind::ForceHardened],
            Falsehood::Negation => &[Kind::NegationCut, Kind::NegationAdded],
            Falsehood::Exception => &[Kind::ExceptionCut],
            Falsehood::Hedge => &[Kind::HedgeCut, Kind::OnlyCut],
            Falsehood::Words | Falsehood::Subject | Falsehood::Quote => &[],
        }
    }
}

/// The rows of a reply, each at its place, ready to be made false one at a time.
pub struct Field<'a> {
    page: &'a PageText,
    bench: Bench<'a>,
    rows: &'a [Claim],
    places: Vec<Option<crate::text::span::Span>>,
}

impl<'a> Field<'a> {
    /// `rows` are those `bench` was made from, in the same order.
    pub fn new(page: &'a PageText, bench: Bench<'a>, rows: &'a [Claim]) -> Self {
        let places = bench.places();
        Self { page, bench, rows, places }
    }

    /// Row `at` made false so; `None` where it has nothing to make false, or where the gate would let
    /// the changed row stand.
    pub fn falsify(&self, at: usize, falsehood: Falsehood, dice: &mut Dice) -> Option<Claim> {
        let span = self.places.get(at).copied().flatten()?;
        let soil = Soil { page: self.page, rows: self.rows, places: &self.places, at, span };
        let changed = match falsehood {
            Falsehood::Subject => other_subject(&soil, dice),
            Falsehood::Words => other_words(&soil, dice),
            Falsehood::Quote => contrary(&soil, dice),
            _ => planted(&soil, falsehood, dice),
        }?;
        self.is_false(at, &changed, falsehood).then_some(changed)
    }

    /// True where the gate refuses the changed row among the others, and no other row says the same. Of a
    /// lost exception it is enough that the gate points at it, which is the most it does there.
    fn is_false(&self, at: usize, changed: &Claim, falsehood: Falsehood) -> bool {
        let content = |it: &Claim| Claim { id: String::new(), statement: None, ..it.clone() };
        let is_known = self.rows.iter().any(|it| content(it) == content(changed));
        if is_known {
            return false;
        }
        let tried = self.bench.try_row(at, changed);
        let is_pointed_at =
            || tried.findings().iter().any(|it| it.code == Code::SnippetCutsException);
        tried.verdict() == Verdict::Fail || (falsehood == Falsehood::Exception && is_pointed_at())
    }
}

fn planted(soil: &Soil, falsehood: Falsehood, dice: &mut Dice) -> Option<Claim> {
    let kinds = falsehood.kinds();
    let start = dice.below(kinds.len());
    (0..kinds.len()).find_map(|step| {
        let kind = kinds[(start + step) % kinds.len()];
        let plant = plant_value(soil, kind, dice)
            .or_else(|| plant_words(soil, kind))
            .or_else(|| plant_quote(soil, kind, dice))?;
        let plant =
            if falsehood == Falsehood::Value { with_true_quote(soil, plant) } else { plant };
        // The sentence it was taken from would give the cut away.
        (!plant.is_true).then_some(Claim { statement: None, ..plant.claim })
    })
}

/// A changed number in the value alone.
fn with_true_quote(soil: &Soil, plant: Plant) -> Plant {
    let snippet = soil.claim().snippet.clone();
    let is_stated = number_of(&plant.claim).is_some_and(|it| soil.states(it));
    Plant { claim: Claim { snippet, ..plant.claim }, is_true: plant.is_true || is_stated, ..plant }
}

/// The row turned into its contrary, quote and all: what is left where nothing else can be spoilt.
fn contrary(soil: &Soil, dice: &mut Dice) -> Option<Claim> {
    if let Some(plant) = plant_quote(soil, Kind::WordAltered, dice).filter(|it| !it.is_true)
        && dice.below(2) == 0
    {
        return Some(Claim { statement: None, ..plant.claim });
    }
    let quote = soil.quote();
    let is_han = quote.chars().any(|it| !it.is_ascii() && it.is_alphabetic());
    let not = if is_han { "並非" } else { "not " };
    let value = match &soil.claim().value {
        Value::Text(words) => Value::Text(format!("{not}{words}")),
        Value::Bool(it) => Value::Bool(!it),
        other => other.clone(),
    };
    let snippet = format!("{not}{quote}");
    Some(Claim { value, snippet, statement: None, ..soil.claim().clone() })
}
