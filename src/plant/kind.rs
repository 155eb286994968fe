//! The kinds of error that a trial plants.

use serde::{Deserialize, Serialize};

/// One kind of planted error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    DigitChanged,
    DigitsSwapped,
    DigitLost,
    ScaleLost,
    UnitChanged,
    OperatorAtBorder,
    OperatorTurned,
    JoinFlipped,
    NegationCut,
    NegationAdded,
    ExceptionCut,
    HedgeCut,
    ForceHardened,
    OnlyCut,
    QuoteMoved,
    WordAltered,
    WordDropped,
    Stitched,
    ValueComputed,
    CalendarConfused,
}

impl Kind {
    /// All kinds, in the order of the report.
    pub const ALL: &'static [Kind] = &[
        Kind::DigitChanged,
        Kind::DigitsSwapped,
        Kind::DigitLost,
        Kind::ScaleLost,
        Kind::UnitChanged,
        Kind::OperatorAtBorder,
        Kind::OperatorTurned,
        Kind::JoinFlipped,
        Kind::NegationCut,
        Kind::NegationAdded,
        Kind::ExceptionCut,
        Kind::HedgeCut,
        Kind::ForceHardened,
        Kind::OnlyCut,
        Kind::QuoteMoved,
        Kind::WordAltered,
        Kind::WordDropped,
        Kind::Stitched,
        Kind::ValueComputed,
        Kind::CalendarConfused,
    ];

    /// The form used in JSON and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::DigitChanged => "digit_changed",
            Kind::DigitsSwapped => "digits_swapped",
            Kind::DigitLost => "digit_lost",
            Kind::ScaleLost => "scale_lost",
            Kind::UnitChanged => "unit_changed",
            Kind::OperatorAtBorder => "operator_at_border",
            Kind::OperatorTurned => "operator_turned",
            Kind::JoinFlipped => "join_flipped",
            Kind::NegationCut => "negation_cut",
            Kind::NegationAdded => "negation_added",
            Kind::ExceptionCut => "exception_cut",
            Kind::HedgeCut => "hedge_cut",
            Kind::ForceHardened => "force_hardened",
            Kind::OnlyCut => "only_cut",
            Kind::QuoteMoved => "quote_moved",
            Kind::WordAltered => "word_altered",
            Kind::WordDropped => "word_dropped",
            Kind::Stitched => "stitched",
            Kind::ValueComputed => "value_computed",
            Kind::CalendarConfused => "calendar_confused",
        }
    }
}
