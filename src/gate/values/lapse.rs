//! How lengths of time compare that no comparison word settles: what must be done so long before, the
//! longest interval, a ban that lasts so long.
//!
//! Asked only where the row's operator is not the one that was read.

use crate::gate::places::stand::Stand;
use crate::text::amounts::comparator::Relation;
use crate::text::amounts::quantity::Quantity;
use crate::text::amounts::unit::Family;

/// "No later than 28 days before the hearing", 至遲應於開工三十日前: what must be done that long before,
/// or earlier, leaves at least so many days. "Within 3 days before" does not.
pub fn is_lead_time(stand: &Stand, quantity: &Quantity) -> bool {
    let is_time = quantity.unit.as_ref().is_some_and(|it| it.family == Family::Duration);
    let text = stand.context_text();
    let after = text.get(quantity.bare_span().end..).unwrap_or_default().trim_start();
    let low = after.get(..24).unwrap_or(after).to_lowercase();
    let is_ahead =
        ["before", "prior to", "in advance", "ahead of"].iter().any(|it| low.starts_with(it))
            || ["前", "之前", "以前"].iter().any(|it| after.starts_with(it));
    // 「開始前六個月提出」: the Chinese order.
    let is_led = text.get(..quantity.first_byte()).is_some_and(|it| it.ends_with('前'))
        && quantity.relation == Relation::Equal
        && !after.starts_with(['內', '起', '之', '的']);
    if !is_time
        || !(is_ahead || is_led)
        || !matches!(quantity.relation, Relation::Equal | Relation::AtMost)
    {
        return false;
    }
    let before = text.get(..quantity.bare_span().start).unwrap_or_default();
    let clause = before.rsplit([';', '；', '。', '\n']).next().unwrap_or_default();
    let low = clause.to_lowercase();
    const LATEST: &[&str] = &[
        "no later than",
        "not later than",
        "at the latest",
        "by the latest",
        "must ",
        "should ",
        "need to ",
        "needs to ",
        "have to ",
        "has to ",
        "required",
        "至遲",
        "最遲",
        "不遲於",
        "不晚於",
        "應",
        "須",
        "需",
    ];
    let is_window = low.trim_end().ends_with("within") || low.contains("within the");
    !is_window && LATEST.iter().any(|it| low.contains(it))
}

/// 三年內不得再申請, "may not apply again within three years": a ban that lasts so long.
pub fn lasts(stand: &Stand, quantity: &Quantity) -> bool {
    let text = stand.context_text();
    let is_time = quantity.unit.as_ref().is_some_and(|it| it.family == Family::Duration);
    let behind = text.get(quantity.bare_span().end..stand.quote.end).unwrap_or_default();
    let behind = behind.split(['。', '；', '\n']).next().unwrap_or_default();
    let before = text.get(stand.quote.start..quantity.bare_span().start).unwrap_or_default();
    let before = before.rsplit(['.', ';', '\n']).next().unwrap_or_default().to_lowercase();
    let is_banned_before = before.trim_end().ends_with("within")
        && ["may not", "must not", "cannot", "shall not", "can't"]
            .iter()
            .any(|it| before.contains(it));
    is_time
        && (behind.contains("內") || behind.contains("内"))
        && ["不得", "不可", "不予", "禁止"].iter().any(|it| behind.contains(it))
        || is_time && is_banned_before
}

/// "At least once every twelve months", 至少每十二個月一次: the longest that may pass in between.
pub fn is_interval(stand: &Stand, quantity: &Quantity) -> bool {
    let text = stand.context_text();
    let before = text.get(..quantity.bare_span().start).unwrap_or_default().trim_end();
    let clause = before.rsplit(['.', ';', ',', '，', '；', '。', '\n']).next().unwrap_or_default();
    let behind = text.get(quantity.bare_span().end..).unwrap_or_default();
    let behind = behind.split(['，', '；', '。', '\n']).next().unwrap_or_default();
    let low = clause.to_lowercase();
    let once = ["at least once", "not less than once", "no less than once", "a minimum of once"];
    low.ends_with("every") && once.iter().any(|it| low.contains(it))
        || clause.ends_with('每') && (clause.contains("至少") || behind.contains("至少"))
}
