-- A signature lists every row under it and is as long as a book. Without a rowid its text stands in the
-- index itself, and SQLite reads it whole for each decision that refers to it; beside the index it is
-- read only where it is asked for.
CREATE TABLE signature_beside (
    file_digest TEXT PRIMARY KEY NOT NULL,
    signed      TEXT NOT NULL,
    body        TEXT NOT NULL
) STRICT;
INSERT INTO signature_beside SELECT file_digest, signed, body FROM signature;
DROP TABLE signature;
ALTER TABLE signature_beside RENAME TO signature;
