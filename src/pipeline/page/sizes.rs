//! How large the asks of a page are, and what each item waits for by what is on record alone.

use crate::ask::canonical::read_answer;
use crate::ask::compose::{ItemView, extract_ask, review_ask};
use crate::ask::message::chat_request;
use crate::gate::page::PageText;
use crate::llm::tokens::{Counter, approximate_tokens};
use crate::model::ask::{Ask, Step};
use crate::pipeline::failure::RunError;
use crate::pipeline::money::grounds::{ItemSize, ItemStanding};
use crate::pipeline::page::basis::foreign_host;
use crate::pipeline::page::carry::PageCarry;
use crate::pipeline::page::settling::{examples_of, item_scope, item_view};
use crate::pipeline::page::state::PageInput;
use crate::pipeline::rounds::desk::{RunDesk, SourceDesk};
use crate::pipeline::rounds::remaining::next_ask;

/// Keys of the items that have to be read, with the sizes of their asks; the rest is carried by code.
///
/// # Errors
/// When an ask cannot be written.
pub fn sizes(
    desk: &RunDesk,
    source: &SourceDesk,
    (page, carry): (&PageInput, &PageCarry),
) -> Result<Vec<(String, ItemSize)>, RunError> {
    let examples = examples_of(&source.source);
    let foreign = foreign_host(&source.source, &page.url);
    let recall = |digest: &str| {
        let text = desk.folder.read_answer(digest).ok().flatten()?;
        read_answer(&text, digest).ok()
    };
    let is_free =
        [Step::Extract, Step::Review].iter().all(|it| desk.control.counter(*it).is_none());
    let mut indexed: Option<PageText> = None;
    let mut sizes = Vec::with_capacity(page.items.len() - carry.carried.len());
    let items = page.items.iter().enumerate();
    for (_, item) in items.filter(|(at, _)| !carry.carried.contains_key(at)) {
        let Some(text) = item.span.slice(&page.text) else { continue };
        let view = item_view(&source.source, page, item, text);
        let mut size = item_size(desk, source, &view)?;
        let first = extract_ask(&view, &source.extractor)?;
        let is_answered = desk.folder.answer_path(&first.digest).exists();
        if is_answered && is_free {
            size.standing = ItemStanding::Done;
        } else if is_answered {
            let indexed = indexed.get_or_insert_with(|| PageText::index(&page.text));
            let scope = item_scope(&source.source, page, item, (&examples, foreign.as_deref()));
            let readers = (&source.extractor, &source.reviewer);
            let open = next_ask((indexed, &scope), &view, readers, &recall)?;
            size.standing = match open.map(|it| (it.ask.step, it.ask.attempt)) {
                None => ItemStanding::Done,
                Some((Step::Review, _)) => ItemStanding::Review,
                Some((Step::Extract, 1)) => ItemStanding::Open,
                Some((Step::Extract, _)) => ItemStanding::Again,
            };
        }
        sizes.push((item.key.clone(), size));
    }
    Ok(sizes)
}

/// Tokens of an item's asks; where they cost nothing, roughly, since nobody pays for them.
fn item_size(
    desk: &RunDesk,
    source: &SourceDesk,
    view: &ItemView<'_>,
) -> Result<ItemSize, RunError> {
    let counted = |step: Step, ask: &dyn Fn() -> Result<Ask, RunError>| -> Result<u64, RunError> {
        let instructions = match step {
            Step::Extract => &source.extractor.instructions,
            Step::Review => &source.reviewer.instructions,
        };
        Ok(match desk.control.counter(step) {
            Some(counter) => counter.count_chat(&chat_request(&ask()?)),
            None => approximate_tokens(instructions) + approximate_tokens(view.text),
        })
    };
    let text_counter = desk.control.counter(Step::Extract).unwrap_or(Counter::Approximate);
    Ok(ItemSize {
        extract_tokens: counted(Step::Extract, &|| Ok(extract_ask(view, &source.extractor)?.ask))?,
        review_tokens: counted(Step::Review, &|| {
            Ok(review_ask(view, &source.reviewer, Vec::new())?.ask)
        })?,
        text_tokens: text_counter.count(view.text),
        standing: ItemStanding::Open,
    })
}
