//! Why a row is not what it was, in plain words a client reads, in both languages.
//!
//! Compares two claims part by part. It judges nothing and guesses no cause.

use crate::model::claim::Claim;

/// What differs between the row that stood and the row in its place.
pub fn changed_words(old: &Claim, new: &Claim, language: &str) -> String {
    let is_han = language.starts_with("zh");
    let mut parts = Vec::new();
    let mut differs = |what: [&str; 2], was: String, is: String| {
        if was == is {
            return;
        }
        let none = if is_han { "（無）" } else { "(none)" };
        let shown = |it: String| if it.is_empty() { none.to_owned() } else { it };
        let (was, is) = (shown(was), shown(is));
        parts.push(if is_han {
            format!("{}由「{was}」改為「{is}」", what[1])
        } else {
            format!("the {} was {was} and is now {is}", what[0])
        });
    };
    let unit = |it: &Claim| it.unit.clone().unwrap_or_default();
    differs(["value", "數值"], old.value.to_string(), new.value.to_string());
    differs(["unit", "單位"], unit(old), unit(new));
    differs(["comparison", "比較方式"], old.op.as_str().to_owned(), new.op.as_str().to_owned());
    differs(["subject", "對象"], old.subject.clone(), new.subject.clone());
    differs(["force", "強制程度"], force(old), force(new));
    differs(["join", "組合方式"], join(old), join(new));
    if parts.is_empty() {
        return if is_han {
            "條文字句有變；擷取的內容相同。".to_owned()
        } else {
            "The wording changed; what was extracted is the same.".to_owned()
        };
    }
    if is_han {
        return format!("{}。", parts.join("；"));
    }
    let mut words = parts.join("; ");
    if let Some(first) = words.get(..1) {
        let upper = first.to_uppercase();
        words.replace_range(..1, &upper);
    }
    words.push('.');
    words
}

fn force(claim: &Claim) -> String {
    plain(&serde_json::to_value(claim.force).unwrap_or_default())
}

fn join(claim: &Claim) -> String {
    plain(&serde_json::to_value(claim.join).unwrap_or_default())
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::claim::Value;

    fn claim(value: i64, unit: &str) -> Claim {
        let value = Value::Number(value.into());
        Claim { value, unit: Some(unit.to_owned()), ..Claim::default() }
    }

    #[test]
    fn what_changed_is_said_in_both_languages() {
        let (old, new) = (claim(100, "HKD/month"), claim(140, "HKD/month"));
        assert_eq!(changed_words(&old, &new, "en"), "The value was 100 and is now 140.");
        assert_eq!(changed_words(&old, &new, "zh-Hant"), "數值由「100」改為「140」。");
        let dearer = claim(140, "HKD/year");
        assert_eq!(
            changed_words(&old, &dearer, "en"),
            "The value was 100 and is now 140; the unit was HKD/month and is now HKD/year."
        );
    }

    #[test]
    fn equal_claims_with_other_words_are_told_as_wording() {
        let old = claim(65, "歲");
        assert!(changed_words(&old, &old, "zh-Hant").contains("內容相同"));
        assert!(changed_words(&old, &old, "en").contains("wording"));
    }
}
