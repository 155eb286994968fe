//! Chooses, among the declared fields, the one a row belongs to.
//!
//! It goes by what the fields say of themselves (name, description, unit, type, examples) and by
//! the words of the row; it knows no field by name and never invents one.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::model::source::{Field, FieldKind};
use crate::reader::concept::{Act, CONCEPTS, Concept, Shape};
use crate::reader::setting::setting_score;
use crate::text::glyphs::letter::is_han;

/// What the chooser is told of a row.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The words the row is about: its clause.
    pub clause: &'a str,
    /// Lead-in and heading above it.
    pub context: &'a str,
    pub shape: Shape,
    pub act: Act,
}

/// The declared fields, read once.
pub struct FieldChooser<'a> {
    fields: Vec<Declared<'a>>,
}

struct Declared<'a> {
    field: &'a Field,
    /// For each concept: 0, or how plainly the field declares it.
    concepts: Vec<i64>,
    /// Words and pairs of characters of description and examples.
    words: BTreeSet<String>,
}

/// Longest piece of a clause that is looked at; choosing a field needs no more.
const LOOKED_AT: usize = 1_500;

impl<'a> FieldChooser<'a> {
    /// Reads what the fields say of themselves.
    pub fn new(fields: &'a [Field]) -> Self {
        let fields = fields
            .iter()
            .map(|field| Declared {
                field,
                concepts: plainness(field),
                words: words_of(&format!(
                    "{} {} {}",
                    field.name.replace('_', " "),
                    field.description,
                    field.examples.join(" ")
                )),
            })
            .collect();
        Self { fields }
    }

    /// The field of greatest score, the first declared one of equals; `None` where none is declared.
    pub fn choose(&self, wanted: Wanted<'_>) -> Option<&'a Field> {
        let clause = head(wanted.clause, LOOKED_AT).to_lowercase();
        let context = head(wanted.context, LOOKED_AT).to_lowercase();
        let (in_clause, in_context) = (SPEAKS.count(&clause), SPEAKS.count(&context));
        let spoken: Vec<i64> = CONCEPTS
            .iter()
            .enumerate()
            .map(|(at, it)| {
                concept_score(it, in_clause[at], in_context[at], wanted)
                    + setting_score(
                        it,
                        in_clause[at],
                        (&clause, &context),
                        (wanted.shape, wanted.act),
                    )
            })
            .collect();
        let words = words_of(&clause);
        let mut best: Option<(i64, &'a Field)> = None;
        for declared in &self.fields {
            let known = declared.concepts.iter().zip(&spoken).filter(|(plain, _)| **plain > 0);
            let concept = known.map(|(plain, spoken)| plain * spoken).max();
            let shared = declared.words.intersection(&words).count();
            if wanted.shape == Shape::Words && concept.unwrap_or(0) <= 0 && shared == 0 {
                continue;
            }
            // Words in common are all there is to go by in a field of no known kind; in others they
            // only tell equals apart.
            let shared = if concept.is_some() { shared.min(2) } else { 2 * shared.min(6) };
            let score = concept.unwrap_or(0)
                + i64::try_from(shared).unwrap_or(0)
                + 3 * kind_fit(declared.field.kind, wanted.shape);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, declared.field));
            }
        }
        best.map(|(_, field)| field)
    }
}

/// For each concept: 3 where the name declares it, 2 or 1 where the description does, else 0.
fn plainness(field: &Field) -> Vec<i64> {
    let description = field.description.to_lowercase();
    // The words up to the first colon or full stop say what a field is; the rest lists cases.
    let head_end = description.find([':', '.', '：', '。']).unwrap_or(description.len());
    let in_name = DECLARES.count(&field.name.replace('_', " ").to_lowercase());
    let in_head = DECLARES.count(&description[..head_end]);
    let in_all = DECLARES.count(&description);
    (0..CONCEPTS.len())
        .map(|at| match (in_name[at], in_head[at], in_all[at]) {
            (1.., _, _) => 3,
            (_, 1.., _) => 2,
            (_, _, 2..) => 1,
            _ => 0,
        })
        .collect()
}

/// A cue counts in Han anywhere, in Latin at the start of a word, and a short one (age, fee) only as
/// a whole word.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let cue = text.get(start..end).unwrap_or_default();
    let word = cue.trim_start();
    let is_latin = word.starts_with(|it: char| it.is_ascii_alphabetic());
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    let starts = !is_latin
        || cue.starts_with(' ')
        || before.is_none_or(|it| !it.is_alphabetic() && (it != '-' || cue.starts_with('-')));
    let ends = !is_latin
        || word.len() > 4
        || cue.ends_with(' ')
        || after.is_none_or(|it| !it.is_alphabetic());
    starts && ends
}

/// Cues of all concepts in one automaton.
struct Cues {
    finder: Option<AhoCorasick>,
    /// Cue -> its concept.
    owners: Vec<usize>,
}

static DECLARES: LazyLock<Cues> = LazyLock::new(|| Cues::new(|it| it.declares));
static SPEAKS: LazyLock<Cues> = LazyLock::new(|| Cues::new(|it| it.speaks));

impl Cues {
    fn new(of: fn(&Concept) -> &'static [&'static str]) -> Self {
        let cues = CONCEPTS.iter().enumerate();
        let cues = cues.flat_map(|(at, it)| of(it).iter().map(move |cue| (at, *cue)));
        let (owners, patterns): (Vec<usize>, Vec<&str>) = cues.unzip();
        Self { finder: AhoCorasick::new(patterns).ok(), owners }
    }

    /// How many different cues of each concept stand in a text; one of several words, or of three
    /// Han characters and more, tells as much as two: "disability rating" says more than "rate".
    fn count(&self, text: &str) -> Vec<i64> {
        let mut seen = vec![false; self.owners.len()];
        let mut counts = vec![0; CONCEPTS.len()];
        for found in self.finder.iter().flat_map(|it| it.find_overlapping_iter(text)) {
            let cue = found.pattern().as_usize();
            if !seen[cue] && stands_alone(text, found.start(), found.end()) {
                seen[cue] = true;
                counts[self.owners[cue]] += weight(&text[found.start()..found.end()]);
            }
        }
        counts
    }
}

fn weight(cue: &str) -> i64 {
    let is_han = cue.starts_with(is_han);
    // Words that only compare tell nothing of what is compared.
    let compares = matches!(
        cue,
        "up to" | "not more than" | "limited to" | "before the " | "before your " | "by the "
    );
    let is_phrase = (cue.trim().contains(' ') && !compares) || (is_han && cue.chars().count() >= 3);
    if is_phrase { 2 } else { 1 }
}

fn concept_score(concept: &Concept, in_clause: i64, in_context: i64, wanted: Wanted<'_>) -> i64 {
    // A concept without words of its own is "anything else": better than one nothing speaks for.
    if concept.speaks.is_empty() {
        return 3;
    }
    if is_of_another_act(concept, wanted, in_clause) {
        return -20;
    }
    // What stands above says more of what the row itself names, and nothing of what it does not.
    let spoken = 4 * in_clause.min(3) + if in_clause > 0 { in_context.min(2) } else { 0 };
    let act = match (concept.acts.contains(&wanted.act), wanted.act) {
        (false, _) => 0,
        (true, Act::Grant) if spoken == 0 && wanted.shape != Shape::Words => 3,
        (true, Act::Grant) if spoken == 0 => 0,
        (true, Act::Condition) if spoken == 0 => 0,
        (true, Act::Condition | Act::Grant) => 4,
        // What a term means is seldom about what its words happen to name.
        (true, Act::Definition) if spoken == 0 => 0,
        (true, Act::Computation) => 16,
        (true, _) if holds_deeds(concept) => 16,
        // A step that is about a fee or a time is of that kind only where it says so.
        (true, _) if spoken == 0 => 0,
        (true, _) => 4,
    };
    let shape = if concept.takes.contains(&wanted.shape) {
        if wanted.shape == Shape::Words { 1 } else { 4 }
    } else {
        -8
    };
    spoken + act + shape
}

/// True for a kind that is nothing but what is done: papers, steps, penalties.
fn holds_deeds(concept: &Concept) -> bool {
    let is_deed = |it: &Act| {
        matches!(
            it,
            Act::Document
                | Act::Step
                | Act::Exclusion
                | Act::Exception
                | Act::Penalty
                | Act::Effect
        )
    };
    !concept.acts.is_empty() && concept.acts.iter().all(is_deed)
}

/// True where a field holds what is done in a certain way (a paper asked for, a penalty, an exception)
/// and the row does something else: a stray word of that kind does not make it so.
fn is_of_another_act(concept: &Concept, wanted: Wanted<'_>, in_clause: i64) -> bool {
    if concept.acts.is_empty() || concept.acts.contains(&wanted.act) {
        return false;
    }
    let may_be_told = match wanted.shape {
        Shape::Words => false,
        Shape::Date => true,
        _ => in_clause > 0,
    };
    holds_deeds(concept) && !may_be_told
}

/// How the declared type fits the kind of value.
fn kind_fit(kind: FieldKind, shape: Shape) -> i64 {
    let is_number = !matches!(shape, Shape::Words | Shape::Date);
    match kind {
        FieldKind::Any => 0,
        FieldKind::Number => {
            if is_number {
                1
            } else {
                -2
            }
        }
        FieldKind::Money => match shape {
            Shape::Money => 3,
            Shape::Words | Shape::Number => -1,
            _ => -3,
        },
        FieldKind::Percent => {
            if shape == Shape::Percent {
                3
            } else {
                -3
            }
        }
        FieldKind::Duration => match shape {
            Shape::Time | Shape::Years => 2,
            Shape::Words => -1,
            _ => -3,
        },
        FieldKind::Date => {
            if shape == Shape::Date {
                3
            } else {
                -2
            }
        }
        FieldKind::Text | FieldKind::Boolean => {
            if shape == Shape::Words {
                1
            } else {
                -1
            }
        }
    }
}

/// Latin words of four letters and more, and pairs of neighbouring Han characters.
fn words_of(text: &str) -> BTreeSet<String> {
    let text = text.to_lowercase();
    let mut words = BTreeSet::new();
    for word in text.split(|it: char| !it.is_ascii_alphanumeric()) {
        if word.len() >= 4 {
            words.insert(word.to_owned());
        }
    }
    let mut last: Option<char> = None;
    for it in text.chars() {
        let is_han = is_han(it);
        if let (Some(before), true) = (last, is_han) {
            words.insert([before, it].iter().collect());
        }
        last = is_han.then_some(it);
    }
    words
}

/// The first `most` bytes, cut on a character boundary.
fn head(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, kind: FieldKind, description: &str) -> Field {
        Field {
            name: name.into(),
            kind,
            unit: None,
            description: description.into(),
            examples: Vec::new(),
        }
    }

    fn chosen(fields: &[Field], clause: &str, shape: Shape, act: Act) -> String {
        let wanted = Wanted { clause, context: "", shape, act };
        FieldChooser::new(fields).choose(wanted).unwrap().name.clone()
    }

    #[test]
    fn fields_are_chosen_by_what_they_say_of_themselves() {
        let fields = [
            field("min_years", FieldKind::Number, "Age of the applicant. 年齡。"),
            field("cap", FieldKind::Money, "Income of the household. 家庭所得。"),
            field("papers", FieldKind::Text, "Documents to be handed in. 應備文件。"),
        ];
        let condition = Act::Condition;
        assert_eq!(chosen(&fields, "年滿六十歲", Shape::Years, condition), "min_years");
        assert_eq!(chosen(&fields, "家庭總收入未超過八萬元", Shape::Money, condition), "cap");
        assert_eq!(chosen(&fields, "monthly income below $900", Shape::Money, condition), "cap");
        assert_eq!(chosen(&fields, "身分證影本", Shape::Words, Act::Document), "papers");
        assert_eq!(chosen(&fields, "a copy of your lease", Shape::Words, Act::Document), "papers");
    }

    #[test]
    fn a_length_of_time_is_told_by_what_it_runs_from() {
        let fields = [
            field("served", FieldKind::Duration, "Length of service. 服務期間。"),
            field("by_when", FieldKind::Any, "Deadline, time limit. 期限。"),
            field("lasts", FieldKind::Duration, "How long something is given. 給付期間。"),
            field("rated", FieldKind::Any, "Disability rating. 障礙等級。"),
            field("portion", FieldKind::Percent, "Rate in percent. 百分比。"),
            field("home", FieldKind::Text, "Residence. 居住。"),
        ];
        let time = |clause: &str| chosen(&fields, clause, Shape::Time, Act::Condition);
        assert_eq!(time("if we get your form within 1 year of leaving active service"), "by_when");
        assert_eq!(time("more than 2 months after your separation from active duty"), "by_when");
        assert_eq!(time("requests are made at least 7 days before"), "by_when");
        assert_ne!(
            time("a payment covers up to 2 months before the day of the request"),
            "by_when"
        );
        assert_eq!(time("應於退伍後三十日內提出"), "by_when");
        assert_eq!(time("served at least 24 months on active duty"), "served");
        assert_eq!(time("the visit takes 30 minutes"), "lasts");
        assert_eq!(time("have lived in the district for at least 3 years"), "home");
        let percent = |clause: &str| chosen(&fields, clause, Shape::Percent, Act::Condition);
        assert_eq!(percent("a disability rating of at least 40%"), "rated");
        assert_eq!(percent("the rate is 4%"), "portion");
    }

    #[test]
    fn a_cue_inside_another_word_declares_nothing() {
        let stands = |text: &str, cue: &str| {
            let at = text.find(cue).unwrap();
            stands_alone(text, at, at + cue.len())
        };
        assert!(!stands("coverage limit", "age"));
        assert!(!stands("discharge", "charge"));
        assert!(stands("age of the applicant", "age"));
        assert!(stands("最低年齡", "年齡"));
    }

    #[test]
    fn no_declared_field_no_choice() {
        let wanted = Wanted { clause: "x", context: "", shape: Shape::Words, act: Act::Condition };
        assert!(FieldChooser::new(&[]).choose(wanted).is_none());
    }
}
