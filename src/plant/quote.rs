//! Errors in what a row quotes: words cut off, altered, dropped, stitched, a quote from elsewhere.

use crate::gate::places::words::stems_of;
use crate::model::claim::{Claim, Value};
use crate::plant::dice::Dice;
use crate::plant::kind::Kind;
use crate::plant::soil::{Plant, Soil, number_of, trimmed, with_number};
use crate::text::blocks::outline::BlockKind;
use crate::text::markers::marker::{Marker, MarkerKind, Strength};
use crate::text::numbers::number::read_numbers;
use crate::text::span::Span;

/// Plants an error of one of the kinds named above; `None` where the quote has nothing to spoil.
pub fn plant_quote(soil: &Soil, kind: Kind, dice: &mut Dice) -> Option<Plant> {
    match kind {
        Kind::NegationCut => cut_before(soil, |_, it| it.kind == MarkerKind::Negation),
        Kind::HedgeCut => cut_around(soil, is_pure_hedge),
        Kind::OnlyCut => cut_around(soil, |_, it| it.kind == MarkerKind::Restriction),
        Kind::ExceptionCut => exception(soil),
        Kind::QuoteMoved => moved(soil, dice),
        Kind::WordAltered => altered(soil, dice),
        Kind::WordDropped => dropped(soil, dice),
        Kind::Stitched => stitched(soil, dice),
        _ => None,
    }
}

type Wanted = fn(&[Marker], &Marker) -> bool;

/// Softens, and neither allows nor stands for "may".
fn is_pure_hedge(all: &[Marker], marker: &Marker) -> bool {
    let is_force = |it: &&Marker| {
        it.span == marker.span
            && matches!(it.kind, MarkerKind::Force(it) if it != Strength::InPrinciple)
    };
    marker.kind == MarkerKind::Hedge && !all.iter().any(|it| is_force(&it))
}

/// The quote from behind the marker on.
fn cut_before(soil: &Soil, wanted: Wanted) -> Option<Plant> {
    let markers = soil.markers();
    let marker = markers.iter().find(|it| wanted(&markers, it) && soil.span.contains(it.span))?;
    let rest = Span::new(marker.span.end, soil.span.end);
    // What the word does not reach is not spoilt by losing it.
    let is_reached = marker.reach.overlaps(rest);
    let claim = soil.requoted(rest)?;
    let change = format!("cut “{}”", soil.page.slice(marker.span));
    Some(Plant { claim, change, is_true: !is_reached || is_exemption(soil, marker) })
}

/// 免徵 and "exempt" take a duty away; what stands behind them is not turned round.
fn is_exemption(soil: &Soil, marker: &Marker) -> bool {
    let word = soil.page.slice(marker.span).to_lowercase();
    word.starts_with('免') || word.starts_with("exempt")
}

/// The longer part of the quote on either side of the marker.
fn cut_around(soil: &Soil, wanted: Wanted) -> Option<Plant> {
    let markers = soil.markers();
    let marker = markers.iter().find(|it| wanted(&markers, it) && soil.span.contains(it.span))?;
    let (before, after) =
        (Span::new(soil.span.start, marker.span.start), Span::new(marker.span.end, soil.span.end));
    let rest = if before.len() < after.len() { after } else { before };
    let claim = soil.requoted(rest)?;
    let change = format!("cut “{}”", soil.page.slice(marker.span));
    let is_in_reach = marker.reach.overlaps(rest);
    // Behind the quote it narrows only what stands right beside it.
    let is_near = rest == after || trimmed(soil.page.slice(rest)).len() + 2 >= rest.len();
    Some(Plant { claim, change, is_true: !is_in_reach || !is_near || is_result(&markers, marker) })
}

/// 方可, "may only" bind what may be done, not the condition before them.
fn is_result(all: &[Marker], marker: &Marker) -> bool {
    all.iter().any(|it| it.span == marker.span && matches!(it.kind, MarkerKind::Force(_)))
}

/// The quote up to its exception.
fn exception(soil: &Soil) -> Option<Plant> {
    let markers = soil.markers();
    let marker = markers
        .iter()
        .find(|it| it.kind == MarkerKind::Exception && soil.span.contains(it.span))?;
    let rest = Span::new(soil.span.start, marker.span.start);
    let claim = soil.requoted(rest)?;
    let cut = Span::new(marker.span.start, soil.span.end);
    let change = format!("cut “{}”", soil.page.slice(cut));
    Some(Plant { claim, change, is_true: soil.is_carried(cut) })
}

/// A quote from another row of the table or from another section, the value as it was; where the
/// subject itself names the line, with the other line's value.
fn moved(soil: &Soil, dice: &mut Dice) -> Option<Plant> {
    if matches!(soil.claim().value, Value::Bool(_) | Value::Null | Value::List(_)) {
        return None;
    }
    neighbour_line(soil).or_else(|| other_row(soil, dice))
}

fn neighbour_line(soil: &Soil) -> Option<Plant> {
    let outline = soil.page.outline();
    let block = outline.block_at(soil.span.start)?;
    if outline.blocks[block].kind != BlockKind::TableRow {
        return None;
    }
    let table = outline.table_of(block);
    let is_line = |it: &usize| *it != block && outline.blocks[*it].kind == BlockKind::TableRow;
    let line = (block + 1..table.end).chain(table.start..block).find(is_line)?;
    let quote = soil.page.slice(outline.blocks[line].span);
    let mut claim = Claim { snippet: quote.to_owned(), ..soil.claim().clone() };
    let label = outline.row_label(block).map(|it| stems_of(soil.page.slice(it)))?;
    let names_line = !label.is_empty() && label.is_subset(&stems_of(&claim.subject));
    let own_column = number_of(&claim).and_then(|number| {
        outline.blocks[block]
            .cells
            .iter()
            .position(|it| read_numbers(soil.page.slice(*it)).iter().any(|it| it.value == number))
    });
    if let Some(column) = own_column.filter(|_| names_line)
        && let Some(cell) = outline.blocks[line].cells.get(column)
        && let Some(number) = read_numbers(soil.page.slice(*cell)).first()
    {
        claim = with_number(&claim, number.value)?;
    }
    let is_true = claim.value == soil.claim().value && holds_value(quote, &claim);
    Some(Plant { claim, change: format!("quote -> {quote}"), is_true })
}

fn other_row(soil: &Soil, dice: &mut Dice) -> Option<Plant> {
    let outline = soil.page.outline();
    let own = outline.block_at(soil.span.start)?;
    let heading = |block: usize| outline.blocks[block].heading;
    let elsewhere = |at: &usize| {
        let Some(block) = soil.places[*at].and_then(|it| outline.block_at(it.start)) else {
            return false;
        };
        block != own && heading(block) != heading(own)
    };
    let others: Vec<usize> = (0..soil.rows.len()).filter(elsewhere).collect();
    let at = *dice.pick(&others)?;
    let quote = soil.page.slice(soil.places[at]?);
    let claim = Claim { snippet: quote.to_owned(), ..soil.claim().clone() };
    let is_true = holds_value(quote, &claim);
    Some(Plant { claim, change: format!("quote -> {quote}"), is_true })
}

/// True where the quote states the value as well.
fn holds_value(quote: &str, claim: &Claim) -> bool {
    match (&claim.value, number_of(claim)) {
        (_, Some(number)) => {
            read_numbers(quote).iter().any(|it| it.value == number || it.percent() == Some(number))
        }
        (Value::Text(words), _) => stems_of(words).is_subset(&stems_of(quote)),
        _ => true,
    }
}

/// One word replaced by another of the page.
fn altered(soil: &Soil, dice: &mut Dice) -> Option<Plant> {
    let words = words_of(soil.quote());
    let (at, old) = *dice.pick(&words)?;
    let all = words_of(soil.page.text());
    for _ in 0..8 {
        let new = dice.pick(&all)?.1;
        if !new.eq_ignore_ascii_case(old) && stems_of(new) != stems_of(old) {
            let mut snippet = soil.quote().to_owned();
            snippet.replace_range(at..at + old.len(), new);
            let is_true = soil.page.text().contains(&snippet);
            let claim = Claim { snippet, ..soil.claim().clone() };
            return Some(Plant { claim, change: format!("{old} -> {new}"), is_true });
        }
    }
    None
}

/// One inner word left out.
fn dropped(soil: &Soil, dice: &mut Dice) -> Option<Plant> {
    let words = words_of(soil.quote());
    if words.len() < 4 {
        return None;
    }
    let (at, old) = *dice.pick(&words[1..words.len() - 1])?;
    let mut snippet = soil.quote().to_owned();
    snippet.replace_range(at..at + old.len(), "");
    let snippet = snippet.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_true = soil.page.text().contains(&snippet);
    let claim = Claim { snippet, ..soil.claim().clone() };
    Some(Plant { claim, change: format!("dropped {old}"), is_true })
}

/// The quote's beginning and the end of another sentence.
fn stitched(soil: &Soil, dice: &mut Dice) -> Option<Plant> {
    let words = words_of(soil.quote());
    let others = soil.page.sentences();
    let other = soil.page.slice(*dice.pick(others)?);
    let tail = words_of(other);
    if words.len() < 4 || tail.len() < 4 || other.contains(soil.quote()) {
        return None;
    }
    let head = &soil.quote()[..words[words.len() / 2].0];
    let tail = &other[tail[tail.len() / 2].0..];
    let snippet = format!("{head}{tail}");
    let is_true = soil.page.text().contains(&snippet);
    let claim = Claim { snippet, ..soil.claim().clone() };
    Some(Plant { claim, change: format!("… {tail}"), is_true })
}

/// Words of letters; of Chinese, two characters at a time.
fn words_of(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = None;
    let mut count = 0;
    let chars = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in chars {
        let is_han = !c.is_ascii() && c.is_alphabetic();
        let goes_on = c.is_alphabetic() && !(is_han && count == 2);
        if let Some(from) = start.filter(|_| !goes_on) {
            words.push((from, &text[from..at]));
            start = None;
            count = 0;
        }
        if c.is_alphabetic() {
            start = start.or(Some(at));
            count += 1;
        }
    }
    words
}
