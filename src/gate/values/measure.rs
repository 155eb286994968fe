//! Whether a row counts the same things as the page and compares the same way.
//!
//! Asked only of numbers that are in the quote. Where the page names no unit or no comparison, it
//! is silent unless the row names one that the page cannot mean.

use crate::gate::contract::LIST_MARK;
use crate::gate::places::stand::Stand;
use crate::gate::places::stream::forms_of;
use crate::gate::values::lapse::{is_interval, is_lead_time, lasts};
use crate::gate::values::number::Sighting;
use crate::gate::values::period::period_fits;
use crate::gate::values::value::unit_of;
use crate::gate::wording::polarity::says_no;
use crate::model::claim::Op;
use crate::model::finding::{Code, Finding};
use crate::text::amounts::comparator::Relation;
use crate::text::amounts::quantity::Quantity;
use crate::text::amounts::unit::{Family, Unit};
use crate::text::numbers::number::NumberToken;
use crate::text::span::Span;

/// UNIT_CHANGED and OPERATOR_CHANGED of one number, judged at the place that fits the row best.
pub fn check_measure(stand: &Stand, sightings: &[Sighting], op: Op) -> Vec<Finding> {
    let fits = |it: &&Sighting| unit_fits(stand, it) && period_fits(stand, it);
    let right_unit: Vec<&Sighting> = sightings.iter().filter(fits).collect();
    if right_unit.is_empty() {
        return vec![unit_changed(stand)];
    }
    let is_right =
        |it: &&&Sighting| it.quantity.is_none_or(|q| relation_fits(stand, (it.span, q), op));
    if right_unit.iter().any(|it| is_right(&it)) {
        return Vec::new();
    }
    let source = right_unit.iter().find_map(|it| it.quantity).map(|it| it.relation);
    source.map(|it| operator_changed(stand, it, op)).into_iter().collect()
}

fn unit_fits(stand: &Stand, sighting: &Sighting) -> bool {
    let Some((stated, _)) = unit_of(stand.claim) else { return true };
    let Some(quantity) = sighting.quantity else { return true };
    let is_share = quantity.numbers.iter().any(|it| it.percent().is_some());
    if stated.family == Family::Percent && is_share {
        // 0.5 % a month is not 0.5 % a year.
        return quantity.unit.as_ref().is_none_or(|it| stated.per_agrees(it));
    }
    let is_measure = matches!(stated.family, Family::Duration | Family::Age | Family::Money);
    // A share counts no days, years or money; "year 2" counts no shares, money or persons.
    let Some(unit) = &quantity.unit else {
        let counts =
            stated.counts_people() || matches!(stated.family, Family::Money | Family::Percent);
        return !(is_share && is_measure || counts && is_numbered_period(stand, quantity));
    };
    // "Days" is a word of "working days" and another length.
    let are_lengths = stated.family == Family::Duration && unit.family == Family::Duration;
    if unit.name == "child" && stated.name == "person" && is_latin_unit(stand, quantity) {
        return false;
    }
    units_agree(&stated, unit)
        || (!are_lengths || stated.family != Family::Duration) && is_worded(stand, quantity)
}

/// "Two children" are children; 二名子女 may be counted in 人.
fn is_latin_unit(stand: &Stand, quantity: &Quantity) -> bool {
    let word = quantity.unit_span.and_then(|it| it.slice(stand.context_text()));
    word.is_some_and(str::is_ascii) && stand.claim.unit.as_deref().is_some_and(str::is_ascii)
}

/// "Year 2", "week 26": the number names a period.
fn is_numbered_period(stand: &Stand, quantity: &Quantity) -> bool {
    const PERIODS: &[&str] = &["year", "years", "month", "week", "day", "quarter", "term"];
    let before = stand.context_text().get(..quantity.first_byte()).unwrap_or_default();
    let is_apart = before.ends_with(' ');
    let word =
        before.trim_end().rsplit(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
    is_apart && PERIODS.iter().any(|it| word.eq_ignore_ascii_case(it))
}

/// True where the stated unit is a word of the quantity itself: "double", 級.
fn is_worded(stand: &Stand, quantity: &Quantity) -> bool {
    let stated = stand.claim.unit.as_deref().unwrap_or_default().trim().to_lowercase();
    let found = quantity.bare_span().slice(stand.context_text()).unwrap_or_default().to_lowercase();
    // "104 weeks' remuneration": the words behind the number are the row's.
    let behind = quantity.numbers.last().and_then(|it| stand.context_text().get(it.span.end..));
    let is_behind = behind.is_some_and(|it| {
        stated.contains(' ') && it.trim_start().to_lowercase().starts_with(&stated)
    });
    !stated.is_empty()
        && !stated.starts_with(|it: char| it.is_numeric())
        && (found.contains(&stated) || is_behind)
}

/// True where both can be the unit of one statement. Nouns that no table knows decide nothing
/// against each other; against money, shares and time they do.
fn units_agree(stated: &Unit, found: &Unit) -> bool {
    if stated.agrees_with(found) {
        return true;
    }
    let is_loose = |it: &Unit| {
        matches!(
            it.family,
            Family::Other | Family::Count | Family::Frequency | Family::Grade | Family::Multiple
        )
    };
    // Persons are not times, grades or papers, whatever their nouns.
    let is_mixed = stated.counts_people() && found.counts_no_people()
        || found.counts_people() && stated.counts_no_people();
    (is_loose(stated) && is_loose(found) && stated.per_agrees(found) && !is_mixed)
        || stated.family == Family::Date
}

pub(crate) fn unit_changed(stand: &Stand) -> Finding {
    let text = stand.context_text();
    let inside = stand.readings.quantities.iter().filter(|it| stand.quote.overlaps(it.span));
    let list: Vec<&str> = inside.filter_map(|it| it.bare_span().slice(text)).collect();
    let list = list.join(LIST_MARK);
    let stated = stand.claim.unit.as_deref().unwrap_or_default();
    let detail = stand.page.pick(
        || format!("the quote does not count in {stated}; it states {list}"),
        || format!("引文不是以「{stated}」計；引文寫的是 {list}"),
    );
    Finding { code: Code::UnitChanged, detail, place: Some(stand.span), evidence: Some(list) }
}

/// `at` is where the number stands: in a range, which of its ends is meant.
fn relation_fits(stand: &Stand, (at, quantity): (Span, &Quantity), op: Op) -> bool {
    let Some(stated) = relation_of(op) else { return true };
    let found = quantity.relation;
    let is_end = |it: Option<&NumberToken>| it.is_some_and(|it| it.span == at);
    stated == found
        || (found == Relation::Between
            && match stated {
                Relation::AtLeast => is_end(quantity.numbers.first()),
                Relation::AtMost => is_end(quantity.numbers.last()),
                _ => false,
            })
        || (found == Relation::Between && stated == Relation::Equal && is_changed(stand, quantity))
        || (stated == found.negated()
            && (is_negated(stand, quantity.span) || shuts_out(stand, quantity)))
        || (stated == Relation::AtLeast && is_lead_time(stand, quantity))
        || (stated == Relation::AtMost && is_interval(stand, quantity))
        || (stated == Relation::Equal && found == Relation::AtMost && lasts(stand, quantity))
        || (found == Relation::Equal
            && (is_implied(stand, stated, quantity) || shares_limit(stand, stated, quantity)))
}

/// "Rises from £4 to £5", 由三千元調整至四千元: the old value and the new one, no range.
fn is_changed(stand: &Stand, quantity: &Quantity) -> bool {
    const VERBS: &[&str] = &[
        "rises",
        "rise",
        "rose",
        "increases",
        "increase",
        "increased",
        "raised",
        "goes",
        "falls",
        "fall",
        "fell",
        "reduced",
        "decreases",
        "decreased",
        "drops",
        "changes",
        "changed",
        "cut",
        "lowered",
        "moves",
        "went",
    ];
    const HAN: &[&str] = &["調", "提高", "增加", "增至", "降", "減至", "改為", "修正"];
    let text = stand.context_text();
    let before = text.get(..quantity.first_byte()).unwrap_or_default();
    let clause = before.rsplit([',', ';', '，', '；', '。', '\n']).next().unwrap_or_default();
    let inside = quantity.span.slice(text).unwrap_or_default();
    forms_of(clause).iter().any(|it| VERBS.contains(&it.as_str()))
        || HAN.iter().any(|it| clause.contains(it) || inside.contains(it))
}

/// True where the quote says "not" before the quantity: "had not served for at least 24 months".
fn is_negated(stand: &Stand, quantity: Span) -> bool {
    let text = stand.context_text();
    let before = text.get(stand.quote.start..quantity.start).unwrap_or_default();
    let lower = before.trim_start().to_lowercase();
    let is_nobody = lower.starts_with("nobody ")
        || lower.starts_with("no ")
            && !lower.contains(" unless")
            && !lower.contains(" except")
            && [" shall ", " may ", " will ", " can ", " is ", " are "]
                .iter()
                .any(|it| lower.contains(it));
    before.contains(['未', '不', '非', '無'])
        || is_nobody
        || forms_of(before).iter().any(|it| it == "not" || it == "never" || it.ends_with("n't"))
}

/// True where the quote keeps out whoever the quantity names: "people under 18 will not be accepted",
/// 未滿二十歲者，不得申請. Whoever is let in stands on the other side of the border.
fn shuts_out(stand: &Stand, quantity: &Quantity) -> bool {
    shuts_out_at(stand, quantity.span)
}

/// The same of whatever stands at `at`, in bytes of the context: a number or a date.
pub(crate) fn shuts_out_at(stand: &Stand, at: Span) -> bool {
    const DENIALS: &[&str] =
        &["not", "cannot", "never", "ineligible", "excluded", "refused", "barred"];
    const ENTRY: &[&str] = &[
        "accepted",
        "accept",
        "eligible",
        "ineligible",
        "qualify",
        "apply",
        "admitted",
        "allowed",
        "permitted",
        "entitled",
        "considered",
        "excluded",
        "refused",
        "join",
        "enter",
        "barred",
    ];
    const HAN: &[&str] = &[
        "不得申請",
        "不得報名",
        "不得參加",
        "不得申領",
        "不得請領",
        "不得領取",
        "不得報考",
        "不得應考",
        "不得加入",
        "不得入學",
        "不得進入",
        "不予受理",
        "不予補助",
        "不予核發",
        "不予發給",
        "不予錄取",
        "不受理",
        "不能申請",
        "不可申請",
        "不符合資格",
        "不符資格",
        "不具資格",
        "不得為",
        "不得擔任",
        "不合資格",
        "不予給付",
        "不可參加",
        "不能參加",
    ];
    if says_no(stand.claim) {
        return false;
    }
    let text = stand.context_text();
    let after = text.get(at.end..stand.quote.end).unwrap_or_default();
    let after = after.split(['.', ';', '。', '；', '\n']).next().unwrap_or_default();
    let before = text.get(stand.quote.start..at.start).unwrap_or_default();
    let before = before.rsplit(['.', ';', '。', '；', '\n']).next().unwrap_or_default();
    let (words, lead) = (forms_of(after), forms_of(before));
    let is_one_of = |list: &[&str], it: &String| list.contains(&it.as_str());
    let is_denial = |it: &String| is_one_of(DENIALS, it) || it.ends_with("n't") || it == "no";
    let after_denies = words
        .iter()
        .position(is_denial)
        .is_some_and(|at| words[at..].iter().take(4).any(|it| is_one_of(ENTRY, it)));
    // "We cannot accept applications from people under 18."
    let lead_denies = lead
        .iter()
        .position(is_denial)
        .is_some_and(|at| lead[at..].iter().take(4).any(|it| is_one_of(ENTRY, it)))
        && !before.contains([',', '，'])
        && lead.iter().any(|it| matches!(it.as_str(), "from" | "if" | "who" | "with"));
    let is_without = after.contains("無投票權")
        || after.contains(['無', '喪'])
            && ["請求權", "申請權", "請領權", "選舉權", "資格"].iter().any(|it| after.contains(it));
    after_denies || lead_denies || is_without || HAN.iter().any(|it| after.contains(it))
}

/// "Within 21 days (14 days for urgent cases)": what stands in brackets is limited the same way.
fn shares_limit(stand: &Stand, stated: Relation, quantity: &Quantity) -> bool {
    let text = stand.context_text();
    let start = quantity.first_byte();
    let opens = text.get(..start).is_some_and(|it| it.trim_end().ends_with(['(', '（']));
    let before = stand.readings.quantities.iter().rev().find(|it| it.span.end < start);
    opens
        && before.is_some_and(|it| {
            let is_beside = start - it.span.end <= 4;
            let name = |it: &Quantity| it.unit.as_ref().map(|it| it.name.clone());
            is_beside && it.relation == stated && name(it) == name(quantity)
        })
}

/// Limits that a plain number states through other words: "only one", "all 36 months or a
/// portion", "the ceiling is", "served 24 months".
fn is_implied(stand: &Stand, stated: Relation, quantity: &Quantity) -> bool {
    let text = stand.context_text();
    let before = text.get(..quantity.bare_span().start).unwrap_or_default();
    // "Lived here for five of the past seven years": the seven only measure the five.
    let is_window = ["past", "last", "previous", "preceding"]
        .iter()
        .any(|it| before.trim_end().strip_suffix(it).is_some_and(|it| it.ends_with(' ')));
    if is_window && stated == Relation::AtLeast {
        return false;
    }
    if is_window && stated == Relation::AtMost {
        return true;
    }
    // 每月二十五日前: a day of the calendar, and what is before it.
    let behind = text.get(quantity.bare_span().end..).unwrap_or_default();
    let is_day = quantity.unit_span.and_then(|it| it.slice(text)) == Some("日")
        && before.trim_end().ends_with(['月', '年']);
    if stated == Relation::LessThan && is_day && behind.starts_with('前') {
        return true;
    }
    // A comma between digits parts no clauses.
    let is_joint = |(at, it): (usize, char)| {
        matches!(it, ';' | '，' | '；' | '、' | '\n')
            || it == ',' && !before[at + 1..].starts_with(|it: char| it.is_ascii_digit())
    };
    let joint = before.char_indices().rev().find(|it| is_joint(*it));
    let clause = joint.map_or(before, |(at, it)| &before[at + it.len_utf8()..]);
    let words = forms_of(clause);
    let has = |list: &[&str]| list.iter().any(|it| words.iter().any(|word| word == it));
    let says = |list: &[&str]| list.iter().any(|it| clause.contains(it));
    match stated {
        Relation::AtMost | Relation::AtLeast if is_announced(stand, stated, quantity) => true,
        Relation::AtMost => {
            has(&["only", "all", "limit", "limits", "limited", "ceiling", "cap", "maximum", "most"])
                || says(&["限", "上限", "最高", "最多", "僅", "只"])
                || text.contains('負')
        }
        Relation::AtLeast => {
            let behind = text.get(quantity.bare_span().end..).unwrap_or_default().trim_start();
            let is_spare = has(&["valid", "validity"]) && behind.starts_with("beyond")
                || has(&["valid"]) && behind.starts_with("after")
                || behind.starts_with("remaining");
            is_spare
                || has(&[
                    "served",
                    "worked",
                    "lived",
                    "resided",
                    "completed",
                    "reached",
                    "reaches",
                    "minimum",
                    "floor",
                    "accumulated",
                    "continuously",
                ])
                || says(&["滿", "達", "最低", "至少", "最近", "足以", "累計", "連續", "下限"])
        }
        _ => false,
    }
}

/// A limit by the header of its column or the words that lead its list in: "Monthly income limit",
/// 最高金額.
fn is_announced(stand: &Stand, stated: Relation, quantity: &Quantity) -> bool {
    const LONGEST: usize = 120;
    let outline = stand.page.outline();
    let at = quantity.first_byte() + stand.context.start;
    let header = outline.cell_at(at).and_then(|it| outline.column_header(it));
    let leads = stand.lead_ins().into_iter().take(1).chain(stand.table_title());
    let (most, least): (&[&str], &[&str]) =
        (&["上限", "最高", "限額", "最多"], &["下限", "最低", "至少", "最少"]);
    let words = if stated == Relation::AtMost { most } else { least };
    header.into_iter().chain(leads).any(|span| {
        let text = stand.page.slice(span);
        let forms = forms_of(text);
        let has = |list: &[&str]| forms.iter().any(|it| list.contains(&it.as_str()));
        text.len() <= LONGEST
            && (words.iter().any(|it| text.contains(it))
                || stated == Relation::AtMost
                    && has(&["limit", "limits", "maximum", "ceiling", "cap", "caps", "max"])
                || stated == Relation::AtLeast && has(&["minimum", "min", "floor"]))
    })
}

/// The relation an operator states; `None` for plain statements.
pub fn relation_of(op: Op) -> Option<Relation> {
    Some(match op {
        Op::Eq => Relation::Equal,
        Op::Ne => Relation::Not,
        Op::Ge => Relation::AtLeast,
        Op::Gt => Relation::MoreThan,
        Op::Le => Relation::AtMost,
        Op::Lt => Relation::LessThan,
        Op::Between => Relation::Between,
        Op::In | Op::Is => return None,
    })
}

/// The operator that a relation is written as.
pub fn op_of(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "=",
        Relation::Not => "!=",
        Relation::AtLeast => ">=",
        Relation::MoreThan => ">",
        Relation::AtMost => "<=",
        Relation::LessThan => "<",
        Relation::Between => "between",
    }
}

pub(crate) fn operator_changed(stand: &Stand, source: Relation, op: Op) -> Finding {
    let (source, stated) = (op_of(source), op.as_str());
    let detail = stand.page.pick(
        || format!("the page compares with {source}, the row with {stated}"),
        || format!("頁面的比較是 {source}，資料列寫成 {stated}"),
    );
    Finding {
        code: Code::OperatorChanged,
        detail,
        place: Some(stand.span),
        evidence: Some(source.to_owned()),
    }
}
