//! The script that most of a text is written in.
//!
//! A matter of counting letters; it tells Chinese from other tongues and no more.

use crate::gate::places::stream::is_ideograph;

/// The script most of a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    Han,
    Other,
    /// No letters at all.
    None,
}

/// Han where at least three in ten letters are ideographs: official Chinese is full of Latin names.
pub fn script_of(text: &str) -> Script {
    let (mut han, mut other) = (0_usize, 0_usize);
    for c in text.chars() {
        if is_ideograph(c) {
            han += 1;
        } else if c.is_alphabetic() {
            other += 1;
        }
    }
    match (han, other) {
        (0, 0) => Script::None,
        _ if other * 3 <= han * 7 => Script::Han,
        _ => Script::Other,
    }
}
