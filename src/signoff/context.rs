//! What a returned file is held against: what was issued, what is current, what is on record.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::gate::page::PageText;
use crate::model::returned::ReturnedFile;
use crate::model::row::RowRecord;
use crate::model::sheet::{IssuedRow, IssuedSheet, Tab};
use crate::model::signing::{RecordedDecision, Signature};
use crate::model::source::Field;

/// Everything but the file.
pub struct SignoffContext<'a> {
    /// The sheet as it was issued.
    pub issued: &'a IssuedSheet,
    /// The newest issue of the project; the same sheet where no newer run took place.
    pub current: &'a IssuedSheet,
    /// Decisions on record for this project.
    pub earlier: &'a [RecordedDecision],
    /// Signatures on record for this project.
    pub signatures: &'a [Signature],
    /// Who hands the file in, where the sheet itself carries no name.
    pub signer: Option<&'a str>,
    /// The time of the sign-off.
    pub now: jiff::Timestamp,
    pub evidence: Evidence<'a>,
}

/// The frozen pages that a correction is held against.
pub struct Evidence<'a> {
    /// The canonical text of a row's page; `None` where it cannot be had.
    pub text_of: &'a dyn Fn(&RowRecord) -> Option<String>,
    /// Source -> its declared fields.
    pub fields: &'a BTreeMap<String, Vec<Field>>,
    cache: RefCell<BTreeMap<String, Option<Rc<PageText>>>>,
}

impl<'a> Evidence<'a> {
    /// Evidence whose pages are read when they are first needed.
    pub fn new(
        text_of: &'a dyn Fn(&RowRecord) -> Option<String>,
        fields: &'a BTreeMap<String, Vec<Field>>,
    ) -> Self {
        Self { text_of, fields, cache: RefCell::default() }
    }

    /// The page of a row, read once.
    pub fn page(&self, row: &RowRecord) -> Option<Rc<PageText>> {
        let mut cache = self.cache.borrow_mut();
        cache
            .entry(row.text.clone())
            .or_insert_with(|| (self.text_of)(row).map(|it| Rc::new(PageText::index(&it))))
            .clone()
    }

    /// The declared fields of a row's source.
    pub fn fields_of(&self, row: &RowRecord) -> &[Field] {
        self.fields.get(&row.source).map_or(&[], Vec::as_slice)
    }
}

/// Finds the sheet a returned file belongs to: by its identity, else by its keys and tokens, which
/// have to fit one issue in every row. The newest fitting issue wins; `issues` come oldest first.
pub fn find_issue<'a>(file: &ReturnedFile, issues: &'a [IssuedSheet]) -> Option<&'a IssuedSheet> {
    if let Some(identity) = &file.identity {
        return issues.iter().rev().find(|it| it.file == identity.file);
    }
    let keys: Vec<(String, String)> = file
        .rows
        .iter()
        .map(|row| {
            use crate::model::sheet::Column;
            let shown = |column| row.cell(column).shown().trim().to_owned();
            (shown(Column::Row), shown(Column::Check))
        })
        .filter(|(key, token)| !key.is_empty() && !token.is_empty())
        .collect();
    issues.iter().rev().find(|sheet| {
        let known: BTreeSet<(&str, &str)> =
            sheet.rows.iter().map(|it| (it.key.as_str(), it.token.as_str())).collect();
        !keys.is_empty() && keys.iter().all(|(key, token)| known.contains(&(key, token)))
    })
}

/// Rows of an issue by key and by token; a key may be both a row and a removal candidate.
pub struct Rows<'a> {
    by_key: BTreeMap<RowId<'a>, &'a IssuedRow>,
    /// A token has eight characters: of ten thousand rows, two may share one.
    by_token: BTreeMap<&'a str, Vec<&'a IssuedRow>>,
}

/// A key, and whether it is meant as a removal candidate.
pub type RowId<'a> = (&'a str, bool);

/// What a row is known by.
pub fn id_of(row: &IssuedRow) -> RowId<'_> {
    (&row.key, row.tab == Tab::Removed)
}

impl<'a> Rows<'a> {
    /// The rows of `sheet`.
    pub fn of(sheet: &'a IssuedSheet) -> Self {
        let mut by_token: BTreeMap<&str, Vec<&IssuedRow>> = BTreeMap::new();
        for row in &sheet.rows {
            by_token.entry(&row.token).or_default().push(row);
        }
        Self { by_key: sheet.rows.iter().map(|it| (id_of(it), it)).collect(), by_token }
    }

    /// The row with this key: the removal candidate, or the row itself.
    pub fn get(&self, id: RowId) -> Option<&'a IssuedRow> {
        self.by_key.get(&id).copied()
    }

    /// The row that a returned key and token mean: the one that carries both; else, where the token
    /// is nobody's, the one with the key, so that the comparison of its cells says what changed. A
    /// token of another row means that two rows were mixed: neither is meant.
    pub fn identify(&self, key: &str, token: &str) -> Option<&'a IssuedRow> {
        match self.by_token.get(token) {
            Some(rows) => rows.iter().find(|it| it.key == key).copied(),
            None => [false, true].into_iter().find_map(|it| self.get((key, it))),
        }
    }

    /// The row that now stands where `old` stood: same page, item and field.
    pub fn successor(&self, old: &RowRecord) -> Option<&'a IssuedRow> {
        let is_there = |it: &RowRecord| {
            it.source == old.source
                && it.page == old.page
                && it.item == old.item
                && it.claim.field == old.claim.field
        };
        self.by_key
            .values()
            .filter(|it| it.tab != Tab::Removed && is_there(it.matter.row()))
            .max_by_key(|it| it.matter.row().claim.subject == old.claim.subject)
            .copied()
    }
}
