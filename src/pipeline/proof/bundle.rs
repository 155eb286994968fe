//! A set of rows packed with everything they rest on, so that another person can verify them with the
//! program alone: no project, no key, no network.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::ask::canonical::read_ask;
use crate::model::row::RowRecord;
use crate::model::signing::{RecordedDecision, Signature};
use crate::model::snapshot::Part;
use crate::model::source::{Field, Source};
use crate::pipeline::client::decided::decisions_on_record;
use crate::pipeline::client::returned::kept_file;
use crate::pipeline::client::signed::{SignOffs, check_sign_offs};
use crate::pipeline::failure::RunError;
use crate::pipeline::project::ProjectPaths;
use crate::pipeline::proof::bundle_file::{Bundle, BundleError, write_bundle};
use crate::pipeline::proof::chain::Chain;
use crate::pipeline::proof::links::Links;
use crate::pipeline::proof::stated::first_ask;
use crate::pipeline::proof::verify::{ProjectLinks, VerifyFault};
use crate::pipeline::wiring;
use crate::sheet::identity::row_digest;
use crate::snapshot::store::SnapshotStore;

/// What a proof of a bundle found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BundleProof {
    pub project: String,
    pub run: String,
    pub rows: u64,
    /// Rows with a decision that holds for them as they are.
    pub decided: u64,
    pub signatures: u64,
    /// Sorted; empty where everything holds.
    pub faults: Vec<String>,
}

/// Why rows could not be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("there are no such rows on record; nothing was packed")]
    NoRows,
    #[error("{key}: {what}; run `countersign verify` and mend that first")]
    Evidence { key: String, what: String },
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Packs `rows` of a project. `run` names the run they come from, or is empty.
///
/// # Errors
/// When there are none, or something that one rests on is not there.
pub fn pack(
    project: &ProjectPaths,
    sources: &[Source],
    (run, rows): (&str, &[RowRecord]),
) -> Result<Vec<u8>, PackError> {
    if rows.is_empty() {
        return Err(PackError::NoRows);
    }
    let ledger = wiring::existing_ledger(project).map_err(RunError::from)?;
    let links = ProjectLinks::of(project, sources);
    let mut parts: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for row in rows {
        let lost = |what: String| PackError::Evidence { key: row.key.clone(), what };
        let text = format!("texts/{}.txt", row.text);
        if let Entry::Vacant(place) = parts.entry(text) {
            place.insert(links.text(&row.source, &row.text).map_err(lost)?.into_bytes());
        }
        let page = format!("pages/{}", row.snapshot);
        if let Entry::Vacant(place) = parts.entry(page) {
            let store = SnapshotStore::new(&project.snapshots(), &row.source);
            let bytes = store.get(Part::Raw, &row.snapshot);
            place.insert(bytes.map_err(|error| lost(error.to_string()))?);
        }
        let mut asks: Vec<String> = vec![row.ask.clone()];
        asks.extend(row.review.as_ref().map(|it| it.ask.clone()));
        while let Some(ask) = asks.pop() {
            if parts.contains_key(&ask_name(&ask)) {
                continue;
            }
            let (question, answer) = links.exchange(&ask).map_err(lost)?;
            // Rows that stood are kept when the rest is asked again: they rest on the first answer.
            if let Ok(question) = read_ask(&question, &ask) {
                asks.extend(first_ask(&question).map_err(lost)?);
            }
            parts.insert(ask_name(&ask), question.into_bytes());
            parts.insert(answer_name(&ask), answer.into_bytes());
        }
    }
    let (decisions, signatures) = decisions_on_record(&*ledger).map_err(RunError::from)?;
    let keys: BTreeSet<&str> = rows.iter().map(|it| it.key.as_str()).collect();
    let decisions: Vec<_> =
        decisions.into_iter().filter(|it| keys.contains(it.key.as_str())).collect();
    let files: BTreeSet<&str> = decisions.iter().map(|it| it.file_digest.as_str()).collect();
    let signatures: Vec<_> =
        signatures.into_iter().filter(|it| files.contains(it.file_digest.as_str())).collect();
    for signature in &signatures {
        if let Some(bytes) = kept_file(project, &signature.file_digest) {
            parts.insert(format!("returned/{}", signature.file_digest), bytes);
        }
    }
    let fields: BTreeMap<&str, &[Field]> =
        sources.iter().map(|it| (it.id.as_str(), it.fields.as_slice())).collect();
    let json = |error| PackError::Bundle(BundleError::Json(error));
    parts.insert("fields.json".to_owned(), serde_json::to_vec_pretty(&fields).map_err(json)?);
    parts.insert("rows.jsonl".to_owned(), lines(rows).map_err(json)?);
    parts.insert("decisions.jsonl".to_owned(), lines(&decisions).map_err(json)?);
    parts.insert("signatures.jsonl".to_owned(), lines(&signatures).map_err(json)?);
    Ok(write_bundle((ledger.project_uuid(), run, rows.len() as u64), &parts)?)
}

/// Verifies a bundle: its parts, and the whole chain of each row.
///
/// # Errors
/// When the bytes are no bundle that can be looked at.
pub fn verify_bundle(bytes: &[u8]) -> Result<BundleProof, BundleError> {
    let bundle = Bundle::read(bytes)?;
    let rows: Vec<RowRecord> = parsed(&bundle, "rows.jsonl")?;
    let decisions: Vec<RecordedDecision> = parsed(&bundle, "decisions.jsonl")?;
    let signatures: Vec<Signature> = parsed(&bundle, "signatures.jsonl")?;
    let links = BundleLinks::of(&bundle)?;
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    let mut chain = Chain::new(&links);
    for row in &rows {
        if !seen.insert(&row.key) {
            faults.push(VerifyFault::row(&row.key, "stands in the bundle twice"));
        }
        faults.extend(chain.check(row).iter().map(|it| VerifyFault::row(&row.key, it)));
    }
    if rows.len() as u64 != bundle.manifest.rows {
        let (found, listed) = (rows.len(), bundle.manifest.rows);
        faults.push(format!("the bundle lists {listed} rows and holds {found}"));
    }
    let returned = |digest: &str| bundle.part(&format!("returned/{digest}")).map(<[u8]>::to_vec);
    faults.extend(check_sign_offs(&SignOffs {
        project: &bundle.manifest.project,
        decisions: &decisions,
        signatures: &signatures,
        returned: &returned,
    }));
    faults.sort();
    faults.dedup();
    let decided = rows.iter().filter(|row| {
        let digest = row_digest(row);
        decisions.iter().any(|it| it.key == row.key && it.digest == digest && !it.is_in_conflict)
    });
    Ok(BundleProof {
        project: bundle.manifest.project.clone(),
        run: bundle.manifest.run.clone(),
        rows: rows.len() as u64,
        decided: decided.count() as u64,
        signatures: signatures.len() as u64,
        faults,
    })
}

/// The links of a chain, out of a bundle alone.
struct BundleLinks<'a> {
    bundle: &'a Bundle,
    fields: BTreeMap<String, Vec<Field>>,
}

impl<'a> BundleLinks<'a> {
    fn of(bundle: &'a Bundle) -> Result<Self, BundleError> {
        let fields = bundle.part("fields.json").unwrap_or(b"{}");
        let fields = serde_json::from_slice(fields)
            .map_err(|error| BundleError::NotABundle(format!("fields.json: {error}")))?;
        Ok(Self { bundle, fields })
    }

    fn words(&self, name: &str) -> Result<String, String> {
        let bytes = self.bundle.part(name).ok_or_else(|| format!("{name} is not in the bundle"))?;
        String::from_utf8(bytes.to_vec()).map_err(|_| format!("{name} is not UTF-8"))
    }
}

impl Links for BundleLinks<'_> {
    fn text(&self, _: &str, digest: &str) -> Result<String, String> {
        self.words(&format!("texts/{digest}.txt"))
    }

    fn raw(&self, _: &str, digest: &str) -> Result<Vec<u8>, String> {
        let name = format!("pages/{digest}");
        let bytes = self.bundle.part(&name).map(<[u8]>::to_vec);
        bytes.ok_or_else(|| format!("{name} is not in the bundle"))
    }

    fn exchange(&self, ask: &str) -> Result<(String, String), String> {
        Ok((self.words(&ask_name(ask))?, self.words(&answer_name(ask))?))
    }

    fn fields(&self, source: &str) -> Vec<Field> {
        self.fields.get(source).cloned().unwrap_or_default()
    }
}

fn ask_name(digest: &str) -> String {
    format!("asks/{digest}.ask.json")
}

fn answer_name(digest: &str) -> String {
    format!("asks/{digest}.answer.json")
}

fn lines<T: Serialize>(values: &[T]) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = Vec::new();
    for value in values {
        serde_json::to_writer(&mut bytes, value)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

fn parsed<T: serde::de::DeserializeOwned>(
    bundle: &Bundle,
    name: &str,
) -> Result<Vec<T>, BundleError> {
    let broken = |what: String| BundleError::NotABundle(format!("{name}{what}"));
    let bytes = bundle.part(name).ok_or_else(|| broken(" is missing".to_owned()))?;
    let text = std::str::from_utf8(bytes).map_err(|_| broken(" is not UTF-8".to_owned()))?;
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            serde_json::from_str(line)
                .map_err(|error| broken(format!(", line {}: {error}", at + 1)))
        })
        .collect()
}
