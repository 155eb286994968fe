//! Everything of a text that a rule can be about: quantities and dates with their comparison words.
//! Only puts the readers of this folder together.

use crate::text::amounts::amount::amounts_in;
use crate::text::amounts::binding::bind;
use crate::text::amounts::comparator::read_comparators;
use crate::text::dates::date::dates_in;
use crate::text::dates::dated::dated_in;
use crate::text::lexeme::Lexemes;
use crate::text::numbers::number::{NumberToken, numbers_in};

pub use crate::text::amounts::amount::Quantity;
pub use crate::text::dates::dated::DatedQuantity;

/// Everything of a text that a rule can be about.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// Quantities, in order.
    pub quantities: Vec<Quantity>,
    /// Dates and periods, in order.
    pub dates: Vec<DatedQuantity>,
    /// Every number, with those that are no values.
    pub numbers: Vec<NumberToken>,
}

/// Every quantity of `text`, in order.
///
/// ```
/// use countersign::text::amounts::comparator::Relation;
/// use countersign::text::amounts::quantity::read_quantities;
/// let found = read_quantities("An applicant aged 65 or above pays no more than HK$20 a day.");
/// assert_eq!(found[0].relation, Relation::AtLeast);
/// assert_eq!(found[1].relation, Relation::AtMost);
/// assert_eq!(found[1].unit.as_ref().map(|it| it.name.as_str()), Some("HKD"));
/// ```
pub fn read_quantities(text: &str) -> Vec<Quantity> {
    read_all(text).quantities
}

/// Every quantity, date and number of `text`.
pub fn read_all(text: &str) -> Readings {
    let lexemes = Lexemes::new(text);
    let dates = dates_in(&lexemes);
    let numbers = numbers_in(&lexemes, &dates);
    let comparators = read_comparators(&lexemes);
    let mut quantities = amounts_in(&lexemes, &numbers);
    bind(&lexemes, &mut quantities, &comparators);
    let dates = dated_in(&lexemes, &dates, &comparators);
    Readings { quantities, dates, numbers }
}
