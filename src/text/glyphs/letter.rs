//! What kind of character one is: Han, or nothing that anybody sees.
//!
//! The one place that says so; it looks at single characters and never at their neighbours.

/// True for Han characters: all planes, compatibility forms and radicals, with 々 and 〇.
pub fn is_han(it: char) -> bool {
    matches!(u32::from(it),
        0x3005 | 0x3007 | 0x2E80..=0x2FD5 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF | 0x20000..=0x323AF)
}

/// True for characters that print nothing and take no room: soft hyphen, zero-width characters, marks of
/// writing direction, variation selectors. White space is none of them.
pub fn is_invisible(it: char) -> bool {
    matches!(it,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_letters_and_what_nobody_sees() {
        assert!("年〇々㐀豈𠀀⽇".chars().all(is_han));
        assert!(!"aＡ1１ㄅあ、。：".chars().any(is_han));
        assert!("\u{200b}\u{ad}\u{202e}\u{2066}\u{fe0f}\u{feff}".chars().all(is_invisible));
        assert!(!"a 年\u{3000}\u{a0}\n".chars().any(is_invisible));
    }
}
