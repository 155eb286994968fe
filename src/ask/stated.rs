//! One row, group or verdict as a reply states it, from loose JSON to the words of the field.
//!
//! Spellings are widened (`≥`, `gte`, `shall`), meanings never: an unknown word is an error.

use crate::ask::json::{Json, Object};
use crate::model::ask::{ReviewVerdict, ReviewWord};
use crate::model::claim::{Claim, Force, Group, Join, Op, Value};

/// Reads a row.
///
/// # Errors
/// What was expected and what was found, in one sentence.
pub fn read_claim(row: &Object) -> Result<Claim, String> {
    check_keys(row)?;
    let value = read_value(row.get("value"))?;
    let op = read_op(row.get("op"), &value)?;
    let claim = Claim {
        id: read_text(row, "id")?.unwrap_or_default(),
        subject: read_text(row, "subject")?.unwrap_or_default(),
        field: read_text(row, "field")?
            .filter(|it| !it.trim().is_empty())
            .ok_or("`field` is missing: name one of the declared fields")?,
        op,
        value: as_number(op, value),
        unit: read_text(row, "unit")?.filter(|it| !it.trim().is_empty()),
        join: read_join(row.get("join"))?,
        group: read_text(row, "group")?.filter(|it| !it.is_empty()),
        force: read_force(row.get("force"))?,
        snippet: match row.get("snippet") {
            Some(Json::Text(it)) => it.clone(),
            Some(Json::List(_)) => {
                return Err("`snippet` is a list: one row quotes one passage".to_owned());
            }
            _ => return Err("`snippet` is missing: quote the page's own words".to_owned()),
        },
        statement: read_text(row, "statement")?.filter(|it| !it.trim().is_empty()),
    };
    check_shape(&claim)?;
    Ok(claim)
}

/// Reads a group; what is no group is left out, its rows keep their own `join`.
pub fn read_group(value: &Json) -> Option<Group> {
    let Json::Object(object) = value else { return None };
    Some(Group {
        id: read_text(object, "id").ok()??,
        join: read_join(object.get("join")).ok()?,
        parent: read_text(object, "parent").ok()?.filter(|it| !it.is_empty()),
        snippet: read_text(object, "snippet").ok()?.unwrap_or_default(),
    })
}

/// Reads a reviewer's verdict.
///
/// # Errors
/// What was expected and what was found, in one sentence.
pub fn read_verdict(row: &Object) -> Result<ReviewVerdict, String> {
    check_keys(row)?;
    let word = match row.get("verdict") {
        Some(Json::Text(it)) => it.trim().to_lowercase(),
        _ => return Err("`verdict` is missing".to_owned()),
    };
    let verdict = match word.as_str() {
        "confirmed" | "confirm" | "agree" | "agreed" | "correct" | "ok" => ReviewWord::Confirmed,
        "wrong" | "incorrect" | "disagree" | "reject" | "rejected" => ReviewWord::Wrong,
        "unsure" | "uncertain" | "unclear" => ReviewWord::Unsure,
        other => {
            return Err(format!("`verdict` is `{other}`; expected confirmed, wrong or unsure"));
        }
    };
    let corrected = match row.get("corrected") {
        Some(Json::Object(it)) => Some(read_claim(it).map_err(|it| format!("`corrected`: {it}"))?),
        _ => None,
    };
    Ok(ReviewVerdict {
        id: read_text(row, "id")?.ok_or("`id` is missing: which row is judged?")?,
        verdict,
        reason: read_text(row, "reason")?.unwrap_or_default(),
        snippet: read_text(row, "snippet")?.unwrap_or_default(),
        corrected,
    })
}

/// A key given twice with two values has no meaning; twice with one value is harmless.
fn check_keys(row: &Object) -> Result<(), String> {
    for (at, (key, value)) in row.members.iter().enumerate() {
        if row.members[..at].iter().any(|(other, it)| other == key && it != value) {
            return Err(format!("`{key}` is given twice, with different values"));
        }
        if 64 < at {
            return Err("more than 64 keys in one row".to_owned());
        }
    }
    Ok(())
}

fn read_text(row: &Object, key: &str) -> Result<Option<String>, String> {
    match row.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Text(it)) => Ok(Some(it.clone())),
        Some(Json::Number(it)) => Ok(Some(it.clone())),
        Some(Json::Bool(it)) => Ok(Some(it.to_string())),
        Some(_) => Err(format!("`{key}` must be text")),
    }
}

fn read_value(value: Option<&Json>) -> Result<Value, String> {
    Ok(match value {
        None | Some(Json::Null) => Value::Null,
        Some(Json::Bool(it)) => Value::Bool(*it),
        Some(Json::Number(it)) => read_number(it),
        Some(Json::Text(it)) => Value::Text(it.clone()),
        Some(Json::List(items)) => {
            let mut values = Vec::new();
            for item in items {
                match item {
                    Json::List(_) => return Err("`value` is a list of lists".to_owned()),
                    _ => values.push(read_value(Some(item))?),
                }
            }
            Value::List(values)
        }
        Some(Json::Object(ends)) => {
            let end = |names: [&str; 3]| names.iter().find_map(|it| ends.get(it));
            let (low, high) = (end(["low", "min", "from"]), end(["high", "max", "to"]));
            match (low, high, ends.members.len()) {
                (Some(low), Some(high), 2) => {
                    Value::List(vec![read_value(Some(low))?, read_value(Some(high))?])
                }
                _ => return Err("`value` is an object; expected a plain value".to_owned()),
            }
        }
        Some(Json::Word(it)) => return Err(format!("`value` is {it}, which is no value")),
        Some(Json::Broken(reason)) => return Err(format!("`value` cannot be read: {reason}")),
    })
}

/// A machine number where it keeps every digit, else the digits as text.
fn read_number(raw: &str) -> Value {
    if let Ok(it) = raw.parse::<i64>() {
        return Value::Number(it.into());
    }
    if raw.len() <= 15
        && let Some(it) = raw.parse::<f64>().ok().and_then(serde_json::Number::from_f64)
    {
        return Value::Number(it);
    }
    Value::Text(raw.to_owned())
}

/// `"65"` beside a comparison is the number 65; beside `is` it stays a word.
fn as_number(op: Op, value: Value) -> Value {
    match value {
        Value::Text(it) if op != Op::Is => {
            let plain = it.trim();
            let is_plain = !plain.is_empty()
                && plain.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-')
                && plain.parse::<f64>().is_ok();
            if is_plain { read_number(plain) } else { Value::Text(it) }
        }
        Value::List(items) => Value::List(items.into_iter().map(|it| as_number(op, it)).collect()),
        other => other,
    }
}

fn read_op(op: Option<&Json>, value: &Value) -> Result<Op, String> {
    let word = match op {
        Some(Json::Text(it)) => it.trim().to_lowercase(),
        None | Some(Json::Null) => String::new(),
        Some(_) => return Err("`op` must be text".to_owned()),
    };
    Ok(match word.as_str() {
        "=" | "==" | "eq" | "equal" | "equals" | "＝" => Op::Eq,
        "!=" | "<>" | "≠" | "ne" | "neq" | "is not" | "not" | "=/=" => Op::Ne,
        ">=" | "=>" | "≥" | "≧" | "ge" | "gte" | "at least" => Op::Ge,
        ">" | "＞" | "gt" | "more than" => Op::Gt,
        "<=" | "=<" | "≤" | "≦" | "le" | "lte" | "at most" => Op::Le,
        "<" | "＜" | "lt" | "less than" => Op::Lt,
        "between" | "range" => Op::Between,
        "in" | "one of" => Op::In,
        "is" => Op::Is,
        "" if !matches!(value, Value::Number(_) | Value::List(_)) => Op::Is,
        "" => return Err("`op` is missing: how do subject and value compare?".to_owned()),
        other => {
            return Err(format!("`op` is `{other}`; expected one of = != >= > <= < between in is"));
        }
    })
}

fn read_join(join: Option<&Json>) -> Result<Option<Join>, String> {
    let word = match join {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::Text(it)) => it.trim().to_lowercase(),
        Some(_) => return Err("`join` must be text".to_owned()),
    };
    Ok(match word.as_str() {
        "" | "null" => None,
        "all" | "and" => Some(Join::All),
        "any" | "or" => Some(Join::Any),
        "none" | "nor" => Some(Join::None),
        other => return Err(format!("`join` is `{other}`; expected all, any, none or null")),
    })
}

fn read_force(force: Option<&Json>) -> Result<Option<Force>, String> {
    let word = match force {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::Text(it)) => it.trim().to_lowercase().replace([' ', '-'], "_"),
        Some(_) => return Err("`force` must be text".to_owned()),
    };
    Ok(match word.as_str() {
        "" | "null" | "none" => None,
        "must" | "shall" | "required" | "mandatory" => Some(Force::Must),
        "must_not" | "shall_not" | "may_not" | "cannot" | "prohibited" => Some(Force::MustNot),
        "should" | "recommended" => Some(Force::Should),
        "may" | "can" | "optional" => Some(Force::May),
        "in_principle" => Some(Force::InPrinciple),
        other => {
            return Err(format!(
                "`force` is `{other}`; expected must, must_not, should, may, in_principle or null"
            ));
        }
    })
}

/// The value must have the shape that the operator needs.
fn check_shape(claim: &Claim) -> Result<(), String> {
    let is_pair = matches!(&claim.value, Value::List(it) if it.len() == 2);
    if claim.op == Op::Between && !is_pair && claim.value != Value::Null {
        return Err("`between` needs a value of two ends, [low, high]".to_owned());
    }
    let is_list = matches!(claim.value, Value::List(_));
    let takes_list = matches!(claim.op, Op::Between | Op::In | Op::Is | Op::Eq | Op::Ne);
    if is_list && !takes_list {
        return Err(format!("`{}` compares with one value, not with a list", claim.op.as_str()));
    }
    Ok(())
}
