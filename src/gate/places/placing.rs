//! Gives each row of a reply its place on the page, inside the part it was asked about.
//!
//! Rows that say the same at several places are told apart by reading order; no place is made up.

use std::collections::BTreeMap;

use crate::ask::reply::ParsedExtract;
use crate::gate::digest::digest_of;
use crate::gate::docs::document_for;
use crate::gate::page::PageText;
use crate::gate::places::choose::best_places;
use crate::gate::places::locate::Place;
use crate::gate::scope::Scope;
use crate::model::claim::Claim;
use crate::text::span::Span;

/// A row with the place chosen for it and the scope it is judged in.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    pub claim: &'a Claim,
    pub scope: Scope<'a>,
    pub place: Option<Place>,
}

/// The rows of a reply with their places, in order.
pub fn place_rows<'a>(
    page: &PageText,
    parsed: &'a ParsedExtract,
    scope: &Scope<'a>,
) -> Vec<Placed<'a>> {
    Placer::default().place_rows(page, parsed, scope)
}

/// Tells rows that say the same at several places of the page apart by reading order, over as many
/// batches as there are.
#[derive(Clone, Debug, Default)]
pub struct Placer {
    /// What is stated -> how many rows stated it; only rows whose quote stands at several places.
    times: BTreeMap<u128, usize>,
}

/// More distinct rows than this with several places are not counted: the first place serves.
const MAX_COUNTED: usize = 1_000_000;

/// Quotes with several places of which the places are kept for the rows that follow.
const MAX_KNOWN: usize = 64;

impl Placer {
    /// The next rows with their places, in order.
    pub fn place_rows<'a>(
        &mut self,
        page: &PageText,
        parsed: &'a ParsedExtract,
        scope: &Scope<'a>,
    ) -> Vec<Placed<'a>> {
        let documents = page.documents();
        let mut placed = Vec::with_capacity(parsed.reply.rows.len());
        let mut known: BTreeMap<(&str, &str, Option<Span>), Vec<Place>> = BTreeMap::new();
        for (at, claim) in parsed.reply.rows.iter().enumerate() {
            let answer = parsed.docs.iter().find(|it| it.first <= at && at < it.end);
            let span = match answer {
                Some(it) if !documents.is_empty() => {
                    Some(document_for(documents, it).map_or(Span::default(), |it| it.span))
                }
                _ => scope.span,
            };
            let scope = Scope { span, ..*scope };
            let key = (claim.snippet.as_str(), claim.subject.as_str(), span);
            let place = match known.get(&key) {
                Some(places) => self.choose(claim, places),
                None => {
                    let places = places_of(page, &scope, claim);
                    let place = self.choose(claim, &places);
                    if 1 < places.len() && known.len() < MAX_KNOWN {
                        known.insert(key, places);
                    }
                    place
                }
            };
            placed.push(Placed { claim, scope, place });
        }
        placed
    }

    fn choose(&mut self, claim: &Claim, places: &[Place]) -> Option<Place> {
        if places.len() < 2 {
            return places.first().copied();
        }
        let statement = fingerprint(claim);
        if MAX_COUNTED <= self.times.len() && !self.times.contains_key(&statement) {
            return places.first().copied();
        }
        let count = self.times.entry(statement).or_default();
        let place = places.get(*count).or(places.first()).copied();
        *count += 1;
        place
    }
}

/// The places inside the scope, those that fit the subject best first.
pub fn places_of(page: &PageText, scope: &Scope, claim: &Claim) -> Vec<Place> {
    let all = page.find(&claim.snippet);
    let mut places = best_places(page, scope, claim, &all);
    let inside = |it: &&Place| scope.span.is_none_or(|span| span.contains(it.span));
    let rest: Vec<Place> =
        all.iter().filter(inside).filter(|it| !places.contains(it)).copied().collect();
    places.extend(rest);
    places
}

/// Everything of a row but its id.
fn fingerprint(claim: &Claim) -> u128 {
    let row = Claim { id: String::new(), ..claim.clone() };
    digest_of(&[&serde_json::to_string(&row).unwrap_or_default()])
}
