-- The first schema. Times are UTC, RFC 3339. Digests are lower-case hex SHA-256.
CREATE TABLE project (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    uuid     TEXT NOT NULL,
    created  TEXT NOT NULL
) STRICT;

CREATE TABLE run (
    id       TEXT PRIMARY KEY,
    kind     TEXT NOT NULL,
    began    TEXT NOT NULL,
    ended    TEXT,
    exit     INTEGER,
    summary  TEXT
) STRICT;

-- Every declared step of a run leaves a record, or the run fails.
CREATE TABLE step (
    run      TEXT NOT NULL REFERENCES run (id),
    name     TEXT NOT NULL,
    source   TEXT NOT NULL,
    count_in  INTEGER NOT NULL,
    count_out INTEGER NOT NULL,
    detail   TEXT NOT NULL,
    PRIMARY KEY (run, name, source)
) STRICT, WITHOUT ROWID;

-- An answer in use: its file's digest, so that a later edit is noticed, and what it cost.
CREATE TABLE answer (
    ask         TEXT PRIMARY KEY,
    digest      TEXT NOT NULL,
    answered_by TEXT NOT NULL,
    run         TEXT NOT NULL,
    input_tokens  INTEGER,
    output_tokens INTEGER,
    cached_tokens INTEGER
) STRICT, WITHOUT ROWID;

-- What each page's rows were made from: equal basis, equal rows.
CREATE TABLE page (
    source   TEXT NOT NULL,
    url      TEXT NOT NULL,
    basis    TEXT NOT NULL,
    file     TEXT NOT NULL,
    digest   TEXT NOT NULL,
    counts   TEXT NOT NULL,
    PRIMARY KEY (source, url)
) STRICT, WITHOUT ROWID;

-- Index of the rows under extracted/.
CREATE TABLE row (
    key      TEXT PRIMARY KEY,
    source   TEXT NOT NULL,
    url      TEXT NOT NULL,
    item     TEXT NOT NULL,
    status   TEXT NOT NULL,
    digest   TEXT NOT NULL,
    content  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX row_by_page ON row (source, url);

-- Sign-off: files taken in, each with its signature as JSON.
CREATE TABLE signature (
    file_digest TEXT PRIMARY KEY,
    signed      TEXT NOT NULL,
    body        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Decisions as JSON, in the order they were taken; bound to a row's key and content.
CREATE TABLE decision (
    number      INTEGER PRIMARY KEY,
    row_key     TEXT NOT NULL,
    tab         TEXT NOT NULL,
    file_digest TEXT NOT NULL REFERENCES signature (file_digest),
    body        TEXT NOT NULL,
    UNIQUE (row_key, tab, file_digest)
) STRICT;
