//! Texts that differ only in what stands in parentheses: 就業保險法 (Employment Insurance Act).
//!
//! What stands in parentheses is often the other language. A quote must stand on the page letter for
//! letter, so such a change is never carried by code.

/// True where the texts are equal outside their parentheses and differ inside them.
pub fn differs_only_in_parentheses(old: &str, new: &str) -> bool {
    let (old_out, old_in) = part(old);
    let (new_out, new_in) = part(new);
    !old_out.is_empty() && old_out == new_out && old_in != new_in
}

/// What stands outside and inside parentheses of both widths, without white space. A parenthesis
/// that is never closed is no parenthesis.
fn part(text: &str) -> (String, String) {
    let (mut outside, mut inside) = (String::new(), String::new());
    let (mut depth, mut open_at) = (0_u32, 0);
    for it in text.chars().filter(|it| !it.is_whitespace()) {
        match it {
            '(' | '（' => {
                if depth == 0 {
                    open_at = inside.len();
                }
                depth += 1;
                inside.push(it);
            }
            ')' | '）' if depth > 0 => {
                depth -= 1;
                inside.push(it);
            }
            _ if depth > 0 => inside.push(it),
            _ => outside.push(it),
        }
    }
    if depth > 0 {
        outside.push_str(&inside.split_off(open_at));
    }
    (outside, inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_change_inside_parentheses_counts() {
        let differs = differs_only_in_parentheses;
        assert!(differs("渡輪卡辦法 (Ferry Card Act)", "渡輪卡辦法 (Act on Ferry Cards)"));
        assert!(differs("渡輪卡辦法（Ferry Card Act）", "渡輪卡辦法（Ferry Cards Act）"));
        assert!(differs("Ferry card (渡輪卡)", "Ferry card (船卡)"));
        assert!(differs("渡輪卡辦法", "渡輪卡辦法 (Ferry Card Act)"));
        assert!(!differs("渡輪卡辦法 (Ferry Card Act)", "渡輪卡條例 (Ferry Card Act)"));
        assert!(!differs("渡輪卡辦法 (Act)", "渡輪卡辦法 (Act)"));
        assert!(!differs("(a)", "(b)"), "nothing stands outside");
        assert!(!differs("a ( b", "a ( c"), "never closed");
    }
}
