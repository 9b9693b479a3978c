-- Controllers, their clients, their requests, the sealed identities, and the audit log.
-- Times are milliseconds since 1970, UTC.

CREATE TABLE controllers (
  controller_id    TEXT PRIMARY KEY,
  name             TEXT,
  sso_organisation TEXT UNIQUE,
  created_time     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE clients (
  client_id     TEXT PRIMARY KEY,
  controller_id TEXT NOT NULL REFERENCES controllers,
  name          TEXT,
  created_time  INTEGER NOT NULL,
  revoked_time  INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX clients_of_controller ON clients (controller_id);

CREATE TABLE client_secrets (
  secret_id    TEXT PRIMARY KEY,
  client_id    TEXT NOT NULL REFERENCES clients,
  digest       BLOB NOT NULL,
  created_time INTEGER NOT NULL,
  revoked_time INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX secrets_of_client ON client_secrets (client_id);

CREATE TABLE signing_keys (
  kid                TEXT PRIMARY KEY,
  public_jwk         TEXT NOT NULL,
  sealed_private_key BLOB NOT NULL,
  created_time       INTEGER NOT NULL,
  retired_time       INTEGER,
  revoked_time       INTEGER
) STRICT, WITHOUT ROWID;

-- The master keys that something here is sealed under; the keys themselves are never in the store.
CREATE TABLE master_keys (
  master_key_id TEXT PRIMARY KEY,
  created_time  INTEGER NOT NULL,
  retired_time  INTEGER
) STRICT, WITHOUT ROWID;

-- A UUID has only hexadecimal letters, so NOCASE compares it as RFC 9562 does, and the text stays as
-- it was submitted.
CREATE TABLE requests (
  request_no         INTEGER PRIMARY KEY,
  controller_id      TEXT NOT NULL REFERENCES controllers,
  subject_request_id TEXT NOT NULL COLLATE NOCASE,
  status             TEXT NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed', 'cancelled')),
  regulation         TEXT NOT NULL,
  submitted_time     TEXT NOT NULL,
  received_time      INTEGER NOT NULL,
  created_by         TEXT NOT NULL,
  cancelled_time     INTEGER,
  identity_count     INTEGER NOT NULL,
  UNIQUE (controller_id, subject_request_id)
) STRICT;

-- Deleting a row here shreds: without its wrapped key the sealed identities are noise.
CREATE TABLE sealed_identities (
  request_no    INTEGER PRIMARY KEY REFERENCES requests,
  master_key_id TEXT NOT NULL REFERENCES master_keys,
  wrapped_key   BLOB NOT NULL,
  sealed        BLOB NOT NULL
) STRICT;

CREATE TABLE audit_rows (
  audit_no           INTEGER PRIMARY KEY,
  time               INTEGER NOT NULL,
  actor              TEXT NOT NULL,
  action             TEXT NOT NULL,
  controller_id      TEXT,
  subject_request_id TEXT,
  detail             TEXT,
  request_no         INTEGER
) STRICT;

-- What came after the creation; a request's own row says when it was created, and by whom.
CREATE INDEX audit_of_request ON audit_rows (request_no)
  WHERE request_no IS NOT NULL AND action <> 'request.created';
