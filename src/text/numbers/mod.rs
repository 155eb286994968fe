//! Numbers in every usual spelling, and what each of them is for.

pub mod fraction_zh;
pub mod grouping;
pub mod number;
pub mod numeral;
pub mod numeral_digits;
pub mod numeral_en;
pub mod numeral_zh;
pub mod ordinal;
pub mod provision;
pub mod reference;
pub mod role;
pub mod word_part;
