//! A claim: one value with its snippet, as a model or a file states it. Nothing here is trusted yet.

use serde::{Deserialize, Serialize};

/// One stated condition. The wire form is fixed by DESIGN.md section 4; also a row of `extracted/`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Claim {
    /// Name of the row inside one reply; never its identity across replies.
    pub id: String,
    /// What or whom the value is about, in the page's words.
    pub subject: String,
    /// One of the source's declared fields.
    pub field: String,
    /// How value and subject compare.
    pub op: Op,
    /// The value in plain form: ASCII digits, ISO dates, declared units.
    pub value: Value,
    /// Unit of the value, as declared or as the page words it: `years`, `HKD/month`, `歲`, `%`.
    pub unit: Option<String>,
    /// How the members of the row's group combine.
    pub join: Option<Join>,
    /// The group the row belongs to, a name inside one reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The strength of the rule, where the source states one.
    pub force: Option<Force>,
    /// The evidence: an exact slice of the page.
    pub snippet: String,
    /// Free remark of the reader; never evidence. The gate checks it for added judgements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
}

/// A group of rows; groups nest through `parent`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Group {
    /// Name inside one reply.
    pub id: String,
    /// How its members combine.
    pub join: Option<Join>,
    /// The group this one is a member of.
    pub parent: Option<String>,
    /// The words that say how the members combine: usually the list's lead-in.
    pub snippet: String,
}

/// The groups that a group is nested in, innermost first, as a reply declares them. A parent that
/// nobody declares, or a circle, ends the chain.
pub fn groups_above(group: Option<&str>, declared: &[Group]) -> Vec<Group> {
    /// Nobody nests lists deeper.
    const MAX_DEPTH: usize = 8;
    let find = |id: &str| declared.iter().find(|it| it.id == id);
    let mut above: Vec<Group> = Vec::new();
    let mut at = group.and_then(find);
    while let Some(parent) = at.and_then(|it| find(it.parent.as_deref()?)) {
        let is_circle = group == Some(&parent.id) || above.iter().any(|it| it.id == parent.id);
        if is_circle || above.len() == MAX_DEPTH {
            break;
        }
        above.push(parent.clone());
        at = Some(parent);
    }
    above
}

/// Comparison between subject and value.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Op {
    #[serde(rename = "=")]
    Eq,
    #[serde(rename = "!=")]
    Ne,
    #[serde(rename = ">=")]
    Ge,
    #[serde(rename = ">")]
    Gt,
    #[serde(rename = "<=")]
    Le,
    #[serde(rename = "<")]
    Lt,
    /// Both ends included; the value is `[low, high]`.
    #[serde(rename = "between")]
    Between,
    /// One of a list.
    #[serde(rename = "in")]
    In,
    /// Plain statement: the value is words or a truth value.
    #[default]
    #[serde(rename = "is")]
    Is,
}

impl Op {
    /// The form used in files and sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            Op::Eq => "=",
            Op::Ne => "!=",
            Op::Ge => ">=",
            Op::Gt => ">",
            Op::Le => "<=",
            Op::Lt => "<",
            Op::Between => "between",
            Op::In => "in",
            Op::Is => "is",
        }
    }
}

/// How the members of a group combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Join {
    All,
    Any,
    None,
}

impl Join {
    /// The form used in files and sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            Join::All => "all",
            Join::Any => "any",
            Join::None => "none",
        }
    }
}

/// The strength of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Force {
    Must,
    MustNot,
    Should,
    May,
    InPrinciple,
}

impl Force {
    /// The form used in files and sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            Force::Must => "must",
            Force::MustNot => "must_not",
            Force::Should => "should",
            Force::May => "may",
            Force::InPrinciple => "in_principle",
        }
    }
}

/// A stated value. Compare numbers through their printed form as decimals, never as binary floats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Said to be not stated by the page.
    #[default]
    Null,
    Bool(bool),
    Number(serde_json::Number),
    Text(String),
    /// `[low, high]` for `between`, any length for `in`.
    List(Vec<Value>),
}

impl std::fmt::Display for Value {
    /// The plain form shown to people: `65`, `[18, 25]`, `true`, words as they are, nothing for null.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => Ok(()),
            Value::Bool(it) => write!(f, "{it}"),
            Value::Number(it) => write!(f, "{it}"),
            Value::Text(it) => f.write_str(it),
            Value::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_groups_are_followed_upwards_and_a_circle_ends() {
        let group = |id: &str, parent: &str| Group {
            id: id.to_owned(),
            parent: Some(parent.to_owned()).filter(|it| !it.is_empty()),
            ..Group::default()
        };
        let ids = |of: &str, declared: &[Group]| -> Vec<String> {
            groups_above(Some(of), declared).into_iter().map(|it| it.id).collect()
        };
        let declared = [group("c", "b"), group("b", "a"), group("a", ""), group("x", "gone")];
        assert_eq!(ids("c", &declared), ["b", "a"]);
        assert_eq!(ids("a", &declared), [""; 0]);
        assert_eq!(ids("x", &declared), [""; 0], "its parent is not declared");
        let circle = [group("c", "b"), group("b", "c"), group("s", "s")];
        assert_eq!(ids("c", &circle), ["b"]);
        assert_eq!(ids("s", &circle), [""; 0]);
        assert!(groups_above(None, &declared).is_empty());
    }
}
