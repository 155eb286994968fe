//! Digits in groups of three, as people compare them.

/// `10000000` as `10,000,000`. What is not made of ASCII digits comes back as it is.
pub fn thousands_apart(digits: &str) -> String {
    if !digits.bytes().all(|it| it.is_ascii_digit()) {
        return digits.to_owned();
    }
    let mut apart = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            apart.push(',');
        }
        apart.push(digit);
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes_from_the_right() {
        for (digits, wanted) in [
            ("", ""),
            ("7", "7"),
            ("100", "100"),
            ("1000", "1,000"),
            ("1234567", "1,234,567"),
            ("三千", "三千"),
            ("１２３４", "１２３４"),
        ] {
            assert_eq!(thousands_apart(digits), wanted);
        }
    }
}
