//! Small whole numbers as list markers and article labels spell them: 12, １２, 十二, iv.
//!
//! For counting places only. Values of a page are read by the number reader, never by this file.

/// The value of one digit, ASCII or full width.
pub fn decimal_digit(it: char) -> Option<u32> {
    match it {
        '0'..='9' => Some(u32::from(it) - u32::from('0')),
        '０'..='９' => Some(u32::from(it) - u32::from('０')),
        _ => None,
    }
}

/// True for the digits of list numbers and article numbers, in both scripts.
pub fn is_numeral(it: char) -> bool {
    decimal_digit(it).is_some() || han_digit(it).is_some() || matches!(it, '十' | '百' | '千')
}

fn han_digit(it: char) -> Option<u32> {
    const DIGITS: &str = "〇一二三四五六七八九";
    let at = DIGITS.chars().position(|other| other == it).or((it == '零').then_some(0))?;
    u32::try_from(at).ok()
}

/// A small whole number in digits or in Chinese numerals: 12, １２, 十二, 二十, 一百零三.
pub fn han_or_decimal(token: &str) -> Option<u32> {
    if token.is_empty() || token.chars().count() > 7 {
        return None;
    }
    if token.chars().all(|it| decimal_digit(it).is_some()) {
        return Some(token.chars().filter_map(decimal_digit).fold(0, |sum, it| sum * 10 + it));
    }
    let (mut total, mut digit) = (0u32, None);
    for it in token.chars() {
        let scale = match it {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            _ => {
                let value = han_digit(it)?;
                digit = Some(digit.map_or(value, |before: u32| before.wrapping_mul(10) + value));
                continue;
            }
        };
        total += digit.take().unwrap_or(1).checked_mul(scale)?;
    }
    Some(total + digit.unwrap_or(0))
}

/// A Roman number up to 89, in its one correct spelling.
pub fn roman_number(token: &str) -> Option<u32> {
    const TENS: [&str; 9] = ["", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx"];
    const ONES: [&str; 10] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
    if token.is_empty() || token.len() > 8 {
        return None;
    }
    let lower = token.to_ascii_lowercase();
    let (mut tens, mut ten) = (0, "");
    for (value, spelling) in (0u32..).zip(TENS) {
        if lower.starts_with(spelling) && spelling.len() >= ten.len() {
            (tens, ten) = (value, spelling);
        }
    }
    let rest = &lower[ten.len()..];
    let ones = (0u32..).zip(ONES).find(|(_, it)| *it == rest)?.0;
    let number = tens * 10 + ones;
    (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_read_in_both_scripts() {
        for (token, number) in
            [("十", 10), ("二十", 20), ("十九", 19), ("一百零三", 103), ("１２", 12), ("三〇", 30)]
        {
            assert_eq!(han_or_decimal(token), Some(number), "{token}");
        }
        for (token, number) in [("iv", 4), ("XIX", 19), ("xl", 40), ("l", 50)] {
            assert_eq!(roman_number(token), Some(number), "{token}");
        }
        assert_eq!(roman_number("iiii"), None);
    }
}
