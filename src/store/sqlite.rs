//! The ledger in SQLite: one file per project, refused when it is not this project's.
//!
//! Every write says how many lines it expects to touch, reads them back inside the transaction, and
//! takes everything back when either differs.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};

use crate::model::ask::{Step, Usage};
use crate::store::ledger::{
    AnswerRecord, Group, Ledger, LedgerError, PageRecord, RowIndex, RunRecord, StepRecord,
    StoredSignoff,
};

/// `CSGN` in ASCII, stored as SQLite's application id.
pub const APPLICATION_ID: i64 = 0x4353_474e;

/// Schema steps in order; the schema version is how many have been applied.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
];

/// The schema that this program writes.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// An open ledger.
#[derive(Debug)]
pub struct SqliteLedger {
    connection: Connection,
    uuid: String,
}

impl SqliteLedger {
    /// Makes a new ledger for project `uuid`.
    ///
    /// # Errors
    /// When a file is there already or cannot be written.
    pub fn create(path: &Path, uuid: &str, now: &str) -> Result<Self, LedgerError> {
        if path.exists() {
            return Err(LedgerError::Io {
                path: path.display().to_string(),
                source: std::io::ErrorKind::AlreadyExists.into(),
            });
        }
        let mut connection = Connection::open(path)?;
        prepare(&connection)?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        migrate(&mut connection, 0)?;
        connection.execute(
            "INSERT INTO project (one, uuid, created) VALUES (1, ?1, ?2)",
            params![uuid, now],
        )?;
        Ok(Self { connection, uuid: uuid.to_owned() })
    }

    /// Opens the ledger at `path` and brings an older schema up to date.
    ///
    /// # Errors
    /// A missing, foreign or newer file, or one of another project than `expected`, each its own.
    pub fn open(path: &Path, expected: Option<&str>) -> Result<Self, LedgerError> {
        let shown = path.display().to_string();
        if !path.exists() {
            return Err(LedgerError::Missing { path: shown });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        let found: i64 = connection
            .pragma_query_value(None, "application_id", |row| row.get(0))
            .map_err(|error| not_a_database(error, &shown))?;
        if found != APPLICATION_ID {
            return Err(LedgerError::Foreign { path: shown, found });
        }
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let known = SCHEMA_VERSION;
        if version > known {
            return Err(LedgerError::Newer { path: shown, found: version, known });
        }
        prepare(&connection)?;
        migrate(&mut connection, usize::try_from(version).unwrap_or(0))?;
        let uuid: String =
            connection.query_row("SELECT uuid FROM project WHERE one = 1", [], |row| row.get(0))?;
        match expected {
            Some(expected) if expected != uuid => Err(LedgerError::WrongProject {
                path: shown,
                found: uuid,
                expected: expected.to_owned(),
            }),
            _ => Ok(Self { connection, uuid }),
        }
    }

    /// One checked write: what was touched must be what was meant.
    fn write(
        &mut self,
        what: &'static str,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<(usize, usize)>,
    ) -> Result<(), LedgerError> {
        let tx = self.connection.transaction()?;
        let (affected, expected) = change(&tx)?;
        if affected != expected {
            return Err(LedgerError::NotAllWritten { what, affected, expected });
        }
        Ok(tx.commit()?)
    }
}

impl Ledger for SqliteLedger {
    fn project_uuid(&self) -> &str {
        &self.uuid
    }

    fn begin_run(&mut self, id: &str, kind: &str, began: &str) -> Result<(), LedgerError> {
        self.write("run", |tx| {
            tx.execute(
                "INSERT INTO run (id, kind, began) VALUES (?1, ?2, ?3)",
                params![id, kind, began],
            )
            .map(|affected| (affected, 1))
        })
    }

    fn end_run(&mut self, run: &RunRecord) -> Result<(), LedgerError> {
        self.write("run", |tx| {
            tx.execute(
                "UPDATE run SET ended = ?2, exit = ?3, summary = ?4 WHERE id = ?1",
                params![run.id, run.ended, run.exit, run.summary],
            )
            .map(|affected| (affected, 1))
        })
    }

    fn record_step(&mut self, step: &StepRecord) -> Result<(), LedgerError> {
        self.write("step", |tx| put_step(tx, step).map(|affected| (affected, 1)))
    }

    fn steps(&self, run: &str) -> Result<Vec<StepRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT run, name, source, count_in, count_out, detail FROM step
             WHERE run = ?1 ORDER BY name, source",
        )?;
        let rows = statement.query_map([run], read_step)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn steps_named(&self, name: &str, source: &str) -> Result<Vec<StepRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT step.run, name, source, count_in, count_out, detail
             FROM step JOIN run ON run.id = step.run
             WHERE source = ?2 AND (name = ?1 OR substr(name, 1, length(?1) + 1) = ?1 || ' ')
             ORDER BY began, step.run, name",
        )?;
        let rows = statement.query_map([name, source], read_step)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn forget_steps(&mut self, name: &str, source: &str) -> Result<(), LedgerError> {
        self.connection.execute(
            "DELETE FROM step
             WHERE source = ?2 AND (name = ?1 OR substr(name, 1, length(?1) + 1) = ?1 || ' ')",
            [name, source],
        )?;
        Ok(())
    }

    fn runs(&self) -> Result<Vec<RunRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, kind, began, ended, exit, summary FROM run ORDER BY began, id",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(RunRecord {
                id: row.get(0)?,
                kind: row.get(1)?,
                began: row.get(2)?,
                ended: row.get(3)?,
                exit: row.get(4)?,
                summary: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn answer_digest(&self, ask: &str) -> Result<Option<String>, LedgerError> {
        let mut statement =
            self.connection.prepare_cached("SELECT digest FROM answer WHERE ask = ?1")?;
        Ok(statement.query_row([ask], |row| row.get(0)).optional()?)
    }

    fn record_answers(&mut self, answers: &[AnswerRecord]) -> Result<(), LedgerError> {
        self.record_group(&Group { answers: answers.iter().collect(), ..Group::default() })
    }

    fn usage_of(&self, run: &str, step: Step) -> Result<(u64, Usage), LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*), sum(input_tokens), sum(output_tokens), sum(cached_tokens)
             FROM answer WHERE run = ?1 AND step = ?2 AND live = 1",
        )?;
        Ok(statement.query_row([run, step.as_str()], |row| {
            let number =
                |at: usize| row.get::<_, Option<i64>>(at).map(|it| it.map(i64::cast_unsigned));
            Ok((
                number(0)?.unwrap_or(0),
                Usage { input: number(1)?, output: number(2)?, cached: number(3)?, written: None },
            ))
        })?)
    }

    fn page(&self, source: &str, url: &str) -> Result<Option<PageRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT source, url, basis, file, digest, counts FROM page
             WHERE source = ?1 AND url = ?2",
        )?;
        Ok(statement.query_row([source, url], page_record).optional()?)
    }

    fn pages(&self, source: &str) -> Result<Vec<PageRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT source, url, basis, file, digest, counts FROM page
             WHERE source = ?1 ORDER BY url",
        )?;
        let rows = statement.query_map([source], page_record)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn replace_page(&mut self, page: &PageRecord, rows: &[RowIndex]) -> Result<(), LedgerError> {
        self.record_group(&Group { pages: vec![(page, rows)], ..Group::default() })
    }

    fn record_group(&mut self, group: &Group<'_>) -> Result<(), LedgerError> {
        let tx = self.connection.transaction()?;
        insert_answers(&tx, &group.answers)?;
        for (page, rows) in &group.pages {
            put_page(&tx, page, rows)?;
        }
        for step in &group.steps {
            put_step(&tx, step)?;
        }
        Ok(tx.commit()?)
    }

    fn row(&self, key: &str) -> Result<Option<RowIndex>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT key, source, url, item, status, digest, content FROM row WHERE key = ?1",
        )?;
        Ok(statement
            .query_row([key], |row| {
                Ok(RowIndex {
                    key: row.get(0)?,
                    source: row.get(1)?,
                    url: row.get(2)?,
                    item: row.get(3)?,
                    status: row.get(4)?,
                    digest: row.get(5)?,
                    content: row.get(6)?,
                })
            })
            .optional()?)
    }

    fn row_counts(&self, source: Option<&str>) -> Result<Vec<(String, u64)>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT status, count(*) FROM row WHERE ?1 IS NULL OR source = ?1
             GROUP BY status ORDER BY status",
        )?;
        let rows = statement
            .query_map([source], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn sign_off(&mut self, change: &StoredSignoff) -> Result<(usize, Vec<String>), LedgerError> {
        let tx = self.connection.transaction()?;
        let mut affected = tx.execute(
            "INSERT INTO signature (file_digest, signed, body) VALUES (?1, ?2, ?3)",
            params![change.file_digest, change.signed, change.signature],
        )?;
        for it in &change.decisions {
            // Prepared once: a sheet may decide ten thousand rows.
            let mut insert = tx.prepare_cached(
                "INSERT INTO decision (row_key, tab, file_digest, body)
                 SELECT ?1, ?2, ?3, ?4 WHERE EXISTS
                 (SELECT 1 FROM row WHERE key = ?1 AND content = ?5)",
            )?;
            affected +=
                insert.execute(params![it.row_key, it.tab, it.file_digest, it.body, it.content])?;
        }
        for it in &change.replaced {
            affected += tx.execute(
                "UPDATE decision SET body = ?4
                 WHERE row_key = ?1 AND tab = ?2 AND file_digest = ?3",
                params![it.row_key, it.tab, it.file_digest, it.body],
            )?;
        }
        let read_back = strings(
            &tx,
            "SELECT body FROM decision WHERE file_digest = ?1 ORDER BY number",
            [&change.file_digest],
        )?;
        let expected = 1 + change.decisions.len() + change.replaced.len();
        if affected == expected {
            tx.commit()?;
        }
        Ok((affected, read_back))
    }

    fn decisions(&self) -> Result<Vec<String>, LedgerError> {
        strings(&self.connection, "SELECT body FROM decision ORDER BY number", [])
    }

    fn signatures(&self) -> Result<Vec<String>, LedgerError> {
        strings(&self.connection, "SELECT body FROM signature ORDER BY signed, file_digest", [])
    }
}

fn put_step(tx: &Transaction<'_>, step: &StepRecord) -> rusqlite::Result<usize> {
    tx.execute(
        "INSERT OR REPLACE INTO step (run, name, source, count_in, count_out, detail)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            step.run,
            step.name,
            step.source,
            step.count_in.cast_signed(),
            step.count_out.cast_signed(),
            step.detail
        ],
    )
}

fn read_step(row: &rusqlite::Row<'_>) -> rusqlite::Result<StepRecord> {
    Ok(StepRecord {
        run: row.get(0)?,
        name: row.get(1)?,
        source: row.get(2)?,
        count_in: row.get::<_, i64>(3)?.cast_unsigned(),
        count_out: row.get::<_, i64>(4)?.cast_unsigned(),
        detail: row.get(5)?,
    })
}

fn insert_answers(tx: &Transaction<'_>, answers: &[&AnswerRecord]) -> Result<(), LedgerError> {
    let mut insert = tx.prepare_cached(
        "INSERT OR IGNORE INTO answer
         (ask, digest, answered_by, run, input_tokens, output_tokens, cached_tokens,
          step, live)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let mut check = tx.prepare_cached("SELECT digest FROM answer WHERE ask = ?1")?;
    for it in answers {
        let usage = it.usage.unwrap_or_default();
        insert.execute(params![
            it.ask,
            it.digest,
            it.answered_by,
            it.run,
            usage.input.map(u64::cast_signed),
            usage.output.map(u64::cast_signed),
            usage.cached.map(u64::cast_signed),
            it.step.map(Step::as_str),
            it.is_live
        ])?;
        let back: String = check.query_row([&it.ask], |row| row.get(0))?;
        if back != it.digest {
            return Err(LedgerError::ReadBackDiffers { what: "answer" });
        }
    }
    Ok(())
}

fn put_page(tx: &Transaction<'_>, page: &PageRecord, rows: &[RowIndex]) -> Result<(), LedgerError> {
    tx.prepare_cached(
        "INSERT OR REPLACE INTO page (source, url, basis, file, digest, counts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        page.source,
        page.url,
        page.basis,
        page.file,
        page.digest,
        page.counts
    ])?;
    tx.prepare_cached("DELETE FROM row WHERE source = ?1 AND url = ?2")?
        .execute(params![page.source, page.url])?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO row (key, source, url, item, status, digest, content)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for it in rows {
        insert.execute(params![
            it.key, it.source, it.url, it.item, it.status, it.digest, it.content
        ])?;
    }
    let back: usize = tx
        .prepare_cached("SELECT count(*) FROM row WHERE source = ?1 AND url = ?2")?
        .query_row(params![page.source, page.url], |row| row.get::<_, i64>(0))?
        .try_into()
        .unwrap_or(0);
    if back != rows.len() {
        return Err(LedgerError::NotAllWritten {
            what: "rows of a page",
            affected: back,
            expected: rows.len(),
        });
    }
    Ok(())
}

fn strings(
    connection: &Connection,
    query: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<String>, LedgerError> {
    let mut statement = connection.prepare_cached(query)?;
    let rows = statement.query_map(values, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn page_record(row: &rusqlite::Row<'_>) -> rusqlite::Result<PageRecord> {
    Ok(PageRecord {
        source: row.get(0)?,
        url: row.get(1)?,
        basis: row.get(2)?,
        file: row.get(3)?,
        digest: row.get(4)?,
        counts: row.get(5)?,
    })
}

fn prepare(connection: &Connection) -> Result<(), LedgerError> {
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A line that was committed outlives a power cut: the driver writes many in one transaction.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    Ok(())
}

/// A table that others refer to can only be made anew while references are not watched; what they
/// come to is checked before each step is kept.
fn migrate(connection: &mut Connection, from: usize) -> Result<(), LedgerError> {
    if from >= MIGRATIONS.len() {
        return Ok(());
    }
    connection.pragma_update(None, "foreign_keys", "OFF")?;
    for (at, step) in MIGRATIONS.iter().enumerate().skip(from) {
        let tx = connection.transaction()?;
        tx.execute_batch(step)?;
        let broken: i64 =
            tx.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))?;
        if broken > 0 {
            let affected = usize::try_from(broken).unwrap_or(usize::MAX);
            return Err(LedgerError::NotAllWritten { what: "migration", affected, expected: 0 });
        }
        tx.pragma_update(None, "user_version", at as i64 + 1)?;
        tx.commit()?;
    }
    Ok(connection.pragma_update(None, "foreign_keys", "ON")?)
}

fn not_a_database(error: rusqlite::Error, path: &str) -> LedgerError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => {
            LedgerError::Foreign { path: path.to_owned(), found: 0 }
        }
        _ => LedgerError::Sqlite(error),
    }
}
