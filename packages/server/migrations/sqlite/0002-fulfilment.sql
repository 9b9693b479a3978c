-- What happens after a request is accepted: plans, tasks, batches, intents, evidence.

ALTER TABLE requests ADD COLUMN started_time INTEGER;
ALTER TABLE requests ADD COLUMN completed_time INTEGER;
ALTER TABLE requests ADD COLUMN plan_id TEXT;
-- The operator who wants it started before its time.
ALTER TABLE requests ADD COLUMN start_asked_by TEXT;

CREATE INDEX requests_pending ON requests (received_time) WHERE status = 'pending';
CREATE INDEX requests_asked_for ON requests (request_no)
  WHERE status = 'pending' AND start_asked_by IS NOT NULL;
-- Empty but for requests that were given identities after their start.
CREATE INDEX requests_to_plan ON requests (request_no)
  WHERE status = 'in_progress' AND plan_id IS NULL;

-- The targets of a start, with digests of their configuration.
CREATE TABLE plans (
  plan_id      TEXT PRIMARY KEY,
  targets      TEXT NOT NULL,
  created_time INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
  task_no        INTEGER PRIMARY KEY,
  request_no     INTEGER NOT NULL REFERENCES requests,
  target         TEXT NOT NULL,
  -- Again for the same target: when identities were added, or a backup of the target was restored.
  run            INTEGER NOT NULL,
  connector      TEXT NOT NULL,
  phase          TEXT NOT NULL CHECK (phase IN ('resolve', 'erase')),
  -- Its target looks up identities first, and again for those that are added.
  resolves       INTEGER NOT NULL DEFAULT 0,
  state          TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'erased', 'failed', 'held')),
  -- When it is tried next; null while it waits for a person or for another task to resolve.
  due_time       INTEGER,
  attempts       INTEGER NOT NULL DEFAULT 0,
  batch_no       INTEGER,
  reason         TEXT,
  detail         TEXT,
  previewed_rows INTEGER,
  allowed_rows   INTEGER,
  changed_time   INTEGER NOT NULL,
  evidence       TEXT,
  UNIQUE (request_no, target, run)
) STRICT;

CREATE INDEX tasks_due ON tasks (target, phase, due_time)
  WHERE state IN ('waiting', 'failed') AND due_time IS NOT NULL;
CREATE INDEX tasks_of_batch ON tasks (batch_no) WHERE state = 'running';
CREATE INDEX tasks_not_erased ON tasks (request_no) WHERE state <> 'erased';

-- While a worker has it. The attempt is the fence.
CREATE TABLE batches (
  batch_no     INTEGER PRIMARY KEY AUTOINCREMENT,
  target       TEXT NOT NULL,
  phase        TEXT NOT NULL,
  attempt      INTEGER NOT NULL,
  worker       TEXT NOT NULL,
  leased_time  INTEGER NOT NULL,
  lease_until  INTEGER NOT NULL
) STRICT;

CREATE INDEX batches_of_target ON batches (target, lease_until);

-- The keys of the rows, sealed: they may tell who is meant.
CREATE TABLE intents (
  task_no       INTEGER PRIMARY KEY REFERENCES tasks,
  counts        TEXT NOT NULL,
  retained      TEXT NOT NULL,
  first_time    INTEGER NOT NULL,
  master_key_id TEXT NOT NULL REFERENCES master_keys,
  wrapped_key   BLOB NOT NULL,
  sealed        BLOB NOT NULL
) STRICT;

-- Found by a target that resolves, or named by an operator after the request came.
CREATE TABLE added_identities (
  added_no      INTEGER PRIMARY KEY,
  request_no    INTEGER NOT NULL REFERENCES requests,
  source        TEXT NOT NULL,
  master_key_id TEXT NOT NULL REFERENCES master_keys,
  wrapped_key   BLOB NOT NULL,
  sealed        BLOB NOT NULL
) STRICT;

CREATE INDEX added_identities_of_request ON added_identities (request_no);

CREATE TABLE identity_digests (
  digest     BLOB NOT NULL,
  request_no INTEGER NOT NULL REFERENCES requests,
  PRIMARY KEY (digest, request_no)
) STRICT, WITHOUT ROWID;

CREATE INDEX identity_digests_of_request ON identity_digests (request_no);

-- Targets that are left alone for now.
CREATE TABLE circuits (
  target      TEXT PRIMARY KEY,
  code        TEXT NOT NULL,
  detail      TEXT NOT NULL,
  failures    INTEGER NOT NULL,
  opened_time INTEGER NOT NULL,
  probe_time  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Keys of our own that outlive the master key that seals them.
CREATE TABLE own_secrets (
  name   TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
