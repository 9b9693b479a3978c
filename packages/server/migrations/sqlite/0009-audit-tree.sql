-- Heads are signed over a Merkle tree of all rows. Version 1: over digests of the rows since the head before it.
ALTER TABLE audit_heads ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- The row that is the first leaf of its tree.
ALTER TABLE audit_heads ADD COLUMN tree_first INTEGER;
-- The salts of its leaves are made from it; null once the rows are cut for their age.
ALTER TABLE audit_heads ADD COLUMN salt_seed BLOB;

CREATE INDEX audit_heads_by_row ON audit_heads (last_audit_no);

-- Hashes of the tree, 256 in a tile. Level 0 has the leaves, level 1 one hash for every full tile of leaves, and so on.
CREATE TABLE audit_tiles (
  tree_first INTEGER NOT NULL,
  level      INTEGER NOT NULL,
  tile_no    INTEGER NOT NULL,
  hashes     BLOB NOT NULL,
  PRIMARY KEY (tree_first, level, tile_no)
) STRICT;

-- Up to which head rows were cut for their age, signed. Only the newest is needed.
CREATE TABLE audit_cuts (
  head_no       INTEGER PRIMARY KEY,
  head_hash     BLOB NOT NULL,
  last_audit_no INTEGER NOT NULL,
  head_time     INTEGER NOT NULL,
  retention_ms  INTEGER NOT NULL,
  time          INTEGER NOT NULL,
  key_id        TEXT NOT NULL,
  signature     BLOB NOT NULL
) STRICT;

-- Rows, heads and records in the audit log that Unwrite did not write, as JSON.
CREATE TABLE audit_set_aside (
  set_aside_no INTEGER PRIMARY KEY,
  time         INTEGER NOT NULL,
  kind         TEXT NOT NULL,
  number       TEXT NOT NULL,
  content      TEXT NOT NULL
) STRICT;

-- Requests whose receipt is not signed, because what it would state is not what the audit log says.
CREATE TABLE refused_receipts (
  request_no INTEGER PRIMARY KEY REFERENCES requests,
  time       INTEGER NOT NULL,
  reason     TEXT NOT NULL
) STRICT;

-- Which head the webhook of a witness has, and when it is tried next.
CREATE TABLE audit_witnesses (
  witness   TEXT PRIMARY KEY,
  head_no   INTEGER NOT NULL,
  failures  INTEGER NOT NULL,
  next_time INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
