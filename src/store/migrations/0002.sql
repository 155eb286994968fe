-- The step an answer belongs to, since the two steps may be read at two prices; NULL where it was
-- noted before this column. `live`: answered in that run, and not found on file by it.
ALTER TABLE answer ADD COLUMN step TEXT;
ALTER TABLE answer ADD COLUMN live INTEGER NOT NULL DEFAULT 1;
