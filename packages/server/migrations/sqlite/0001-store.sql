-- Works with versions that know 0001 or newer.
-- The whole store. Times are milliseconds since 1970, UTC.

CREATE TABLE controllers (
  controller_id    TEXT PRIMARY KEY,
  name             TEXT,
  sso_organisation TEXT UNIQUE,
  created_time     INTEGER NOT NULL,
  -- Its contract has ended: nobody acts for it any more.
  closed_time      INTEGER,
  -- Over what the row says: what lets somebody act for us is authenticated.
  mac              BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE clients (
  client_id     TEXT PRIMARY KEY,
  controller_id TEXT NOT NULL REFERENCES controllers,
  name          TEXT,
  created_time  INTEGER NOT NULL,
  revoked_time  INTEGER,
  mac           BLOB
) STRICT, WITHOUT ROWID;

CREATE INDEX clients_of_controller ON clients (controller_id);

CREATE TABLE client_secrets (
  secret_id    TEXT PRIMARY KEY,
  client_id    TEXT NOT NULL REFERENCES clients,
  digest       BLOB NOT NULL,
  created_time INTEGER NOT NULL,
  revoked_time INTEGER,
  mac          BLOB
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
  master_key_id    TEXT PRIMARY KEY,
  created_time     INTEGER NOT NULL,
  retired_time     INTEGER,
  -- When a server began to seal with it; and when it was taken out of the key file for good.
  adopted_time     INTEGER,
  destroyed_time   INTEGER,
  -- When that failed last.
  undestroyed_time INTEGER,
  -- The order in which master keys were made and taken up, whatever the clock said.
  made_no          INTEGER NOT NULL DEFAULT 0,
  generation       INTEGER
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
  started_time       INTEGER,
  completed_time     INTEGER,
  plan_id            TEXT,
  -- The operator who wants it started before its time.
  start_asked_by     TEXT,
  -- Null while a receipt is due: at the completion, and again when the last task of a later run ends.
  receipted_time     INTEGER,
  -- While a run that was asked for after the completion is under way: nothing of it is forgotten before.
  again_asked_time   INTEGER,
  shredded_time      INTEGER,
  -- The statutory deadline, where the controller has extended it.
  extended_until     INTEGER,
  created_mac        BLOB,
  UNIQUE (controller_id, subject_request_id)
) STRICT;

CREATE INDEX requests_pending ON requests (received_time) WHERE status = 'pending';
CREATE INDEX requests_asked_for ON requests (request_no)
  WHERE status = 'pending' AND start_asked_by IS NOT NULL;
-- Empty but for requests that were given identities after their start.
CREATE INDEX requests_to_plan ON requests (request_no)
  WHERE status = 'in_progress' AND plan_id IS NULL;
CREATE INDEX requests_without_receipt ON requests (request_no)
  WHERE status = 'completed' AND receipted_time IS NULL;
CREATE INDEX requests_in_progress ON requests (received_time) WHERE status = 'in_progress';
CREATE INDEX requests_again ON requests (again_asked_time) WHERE again_asked_time IS NOT NULL;
CREATE INDEX requests_to_shred ON requests (completed_time)
  WHERE status = 'completed' AND shredded_time IS NULL AND again_asked_time IS NULL;
-- For forgetting for good.
CREATE INDEX requests_final ON requests (coalesce(completed_time, cancelled_time))
  WHERE status IN ('completed', 'cancelled') AND again_asked_time IS NULL;
CREATE INDEX requests_cancelled ON requests (cancelled_time) WHERE status = 'cancelled';

-- Deleting a row here shreds: without its wrapped key the sealed identities are noise.
CREATE TABLE sealed_identities (
  request_no    INTEGER PRIMARY KEY REFERENCES requests,
  master_key_id TEXT NOT NULL REFERENCES master_keys,
  wrapped_key   BLOB NOT NULL,
  sealed        BLOB NOT NULL
) STRICT;

CREATE TABLE audit_rows (
  -- Numbers of deleted rows are not used again.
  audit_no           INTEGER PRIMARY KEY AUTOINCREMENT
                     CHECK (audit_no BETWEEN 1 AND 9007199254740991),
  time               INTEGER NOT NULL,
  actor              TEXT NOT NULL,
  action             TEXT NOT NULL,
  controller_id      TEXT,
  subject_request_id TEXT,
  detail             TEXT,
  request_no         INTEGER,
  mac                BLOB
) STRICT;

CREATE INDEX audit_by_operators ON audit_rows (audit_no) WHERE substr(actor, 1, 9) = 'operator:';
CREATE INDEX audit_of_request ON audit_rows (lower(subject_request_id))
  WHERE action <> 'request.created';
CREATE INDEX audit_of_pauses ON audit_rows (audit_no)
  WHERE action IN ('erasing.paused', 'erasing.resumed', 'store.went_back', 'store.restore_confirmed');

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
  -- What a task may still erase of its target's share of that day; kept when it fails, so that its next
  -- try is not counted twice.
  reserved_day   INTEGER,
  reserved_rows  INTEGER,
  -- Of a run that an operator asked for after the request was completed: its deadline counts from then.
  asked_time     INTEGER,
  asked_by       TEXT,
  -- What attempts that did not end well had reported as erased, by table: no identities. It stays on record when
  -- a person ends the task otherwise.
  reported       TEXT,
  -- The controller of its request: batches are made of all controllers' tasks in turn.
  owner_id       TEXT NOT NULL DEFAULT '',
  release_mac    BLOB,
  -- Targets that a task waits for before it erases, as JSON.
  waits_for      TEXT,
  UNIQUE (request_no, target, run)
) STRICT;

CREATE INDEX tasks_due ON tasks (target, phase, due_time)
  WHERE state IN ('waiting', 'failed') AND due_time IS NOT NULL;
CREATE INDEX tasks_of_batch ON tasks (batch_no) WHERE state = 'running';
CREATE INDEX tasks_not_erased ON tasks (request_no) WHERE state <> 'erased';
CREATE INDEX tasks_due_by_controller ON tasks (target, phase, owner_id, due_time)
  WHERE state IN ('waiting', 'failed') AND due_time IS NOT NULL;
-- Few tasks are ever in them: what goes well is neither held nor failed.
CREATE INDEX tasks_stuck ON tasks (state, request_no) WHERE state IN ('held', 'failed');
CREATE INDEX tasks_without_due_time ON tasks (request_no) WHERE state = 'waiting' AND due_time IS NULL;
-- What is stuck of one controller, beside very much of another.
CREATE INDEX tasks_stuck_by_controller ON tasks (owner_id, state, request_no) WHERE state IN ('held', 'failed');

-- While a worker has it. The attempt is the fence.
CREATE TABLE batches (
  batch_no    INTEGER PRIMARY KEY AUTOINCREMENT,
  target      TEXT NOT NULL,
  phase       TEXT NOT NULL,
  attempt     INTEGER NOT NULL,
  worker      TEXT NOT NULL,
  leased_time INTEGER NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT;

CREATE INDEX batches_of_target ON batches (target, lease_until);

-- What transactions at targets are about to commit, until the outcomes of their tasks are recorded.
CREATE TABLE erasing_transactions (
  transaction_id TEXT PRIMARY KEY,
  target         TEXT NOT NULL,
  name           TEXT,
  recorded_time  INTEGER NOT NULL,
  tables         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX erasing_transactions_of_target ON erasing_transactions (target);

-- The keys of the rows, sealed: they may tell who is meant.
CREATE TABLE intents (
  task_no       INTEGER PRIMARY KEY REFERENCES tasks,
  counts        TEXT NOT NULL,
  retained      TEXT NOT NULL,
  first_time    INTEGER NOT NULL,
  master_key_id TEXT NOT NULL REFERENCES master_keys,
  wrapped_key   BLOB NOT NULL,
  sealed        BLOB NOT NULL,
  -- How far an intent has come, and by which plan its rows were found.
  intent_state  TEXT NOT NULL DEFAULT 'recorded'
    CHECK (intent_state IN ('recorded', 'done')),
  plan          TEXT NOT NULL DEFAULT ''
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

-- Nothing of a person or a request is erased while a row has not ended.
CREATE TABLE legal_holds (
  -- Numbers of deleted rows are not used again.
  hold_no            INTEGER PRIMARY KEY AUTOINCREMENT,
  controller_id      TEXT NOT NULL REFERENCES controllers,
  -- Null: it is on a person.
  request_no         INTEGER,
  subject_request_id TEXT,
  reason             TEXT NOT NULL,
  placed_time        INTEGER NOT NULL,
  placed_by          TEXT NOT NULL,
  -- Null: until it is lifted.
  until_time         INTEGER,
  ended_time         INTEGER,
  ended_by           TEXT
) STRICT;

CREATE INDEX legal_holds_in_force ON legal_holds (request_no) WHERE ended_time IS NULL;

-- Whom a hold is on; deleted when it ends.
CREATE TABLE legal_hold_digests (
  digest  BLOB NOT NULL,
  hold_no INTEGER NOT NULL REFERENCES legal_holds,
  PRIMARY KEY (digest, hold_no)
) STRICT, WITHOUT ROWID;

CREATE INDEX legal_hold_digests_of_hold ON legal_hold_digests (hold_no);

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

-- Chained and signed: each has the root of a tree over all rows up to its last one.
CREATE TABLE audit_heads (
  head_no        INTEGER PRIMARY KEY CHECK (head_no BETWEEN 1 AND 9007199254740991),
  first_audit_no INTEGER NOT NULL,
  last_audit_no  INTEGER NOT NULL CHECK (last_audit_no BETWEEN 1 AND 9007199254740991),
  time           INTEGER NOT NULL,
  previous_hash  BLOB NOT NULL,
  rows_hash      BLOB NOT NULL,
  hash           BLOB NOT NULL,
  key_id         TEXT NOT NULL,
  signature      BLOB NOT NULL,
  -- The row that is the first leaf of its tree.
  tree_first     INTEGER NOT NULL,
  -- The salts of its leaves are made from it; null once the rows are cut for their age.
  salt_seed      BLOB
) STRICT;

CREATE INDEX audit_heads_by_row ON audit_heads (last_audit_no);

-- The signed document, exactly as it is given out. The first one of a request is its receipt, those
-- after it are addenda of later runs.
CREATE TABLE receipts (
  request_no   INTEGER NOT NULL REFERENCES requests,
  receipt_no   INTEGER NOT NULL,
  -- The last task that it covers; an addendum begins after it.
  last_task_no INTEGER NOT NULL,
  created_time INTEGER NOT NULL,
  -- For the controller; the full one stays with the operator.
  document      TEXT NOT NULL,
  full_document TEXT NOT NULL,
  PRIMARY KEY (request_no, receipt_no)
) STRICT, WITHOUT ROWID;

-- `*` stops all erasing, anything else one target.
CREATE TABLE brakes (
  scope       TEXT PRIMARY KEY,
  paused_time INTEGER NOT NULL,
  paused_by   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Counted by the day (UTC, days since 1970): rows erased of a target, tasks it finished and those that
-- found nothing, whether any had to wait for the next day; requests of a controller started, completed,
-- cancelled, found nowhere. Day -1 has the sums of all days.
CREATE TABLE daily_counts (
  day   INTEGER NOT NULL,
  what  TEXT NOT NULL CHECK (what IN
    ('rows', 'tasks', 'not_found', 'deferred', 'starts', 'completed', 'cancelled', 'nowhere')),
  whose TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, what, whose)
) STRICT, WITHOUT ROWID;

-- Open requests that come near one of their deadlines, and when to look at each again.
CREATE TABLE watched_requests (
  request_no INTEGER PRIMARY KEY,
  next_time  INTEGER NOT NULL
) STRICT;

CREATE INDEX watched_requests_next ON watched_requests (next_time);

-- One row: up to where requests were looked at for watching, and how delivery goes.
CREATE TABLE alarm_progress (
  one               INTEGER PRIMARY KEY CHECK (one = 1),
  -- Open requests received until then were old enough to be watched.
  seen_received     INTEGER NOT NULL,
  -- Up to this one, requests were looked at that had been submitted long before.
  seen_request_no   INTEGER NOT NULL,
  looked_time       INTEGER NOT NULL,
  failed_deliveries INTEGER NOT NULL,
  next_delivery     INTEGER NOT NULL,
  failed_mails      INTEGER NOT NULL,
  next_mail         INTEGER NOT NULL
) STRICT;

INSERT INTO alarm_progress VALUES (1, -1, 0, 0, 0, 0, 0, 0);

-- Each is raised once. Without a delivered time it is still on its way to the webhook; -1: given up.
CREATE TABLE alarms (
  alarm_no       INTEGER PRIMARY KEY,
  kind           TEXT NOT NULL,
  -- What makes it this one: a request, or a target or controller and a day.
  subject        TEXT NOT NULL,
  percent        INTEGER NOT NULL,
  request_no     INTEGER,
  controller_id  TEXT,
  target         TEXT,
  deadline       INTEGER,
  message        TEXT NOT NULL,
  raised_time    INTEGER NOT NULL,
  delivered_time INTEGER,
  -- Many requests of one controller that come near their deadlines on one day are one alarm, with their number. It is
  -- told again when more have come, and not more often than every hour.
  count          INTEGER NOT NULL DEFAULT 1,
  -- When it was last written to the log, and last taken by the webhook.
  told_time      INTEGER,
  sent_time      INTEGER,
  -- The same for e-mail.
  mailed_time    INTEGER,
  mail_sent_time INTEGER,
  UNIQUE (kind, subject, percent)
) STRICT;

CREATE INDEX alarms_to_deliver ON alarms (alarm_no) WHERE delivered_time IS NULL;
CREATE INDEX alarms_to_mail ON alarms (alarm_no) WHERE mailed_time IS NULL;
CREATE INDEX alarms_of_request ON alarms (request_no) WHERE request_no IS NOT NULL;
-- Alarms are listed by kind and by target, and the overview shows those of the last day that no request is named in.
CREATE INDEX alarms_of_kind ON alarms (kind, alarm_no);
CREATE INDEX alarms_of_target ON alarms (target, alarm_no) WHERE target IS NOT NULL;
CREATE INDEX alarms_beside_requests ON alarms (raised_time, alarm_no) WHERE request_no IS NULL;

-- The store went back in time, and what is known of the time that it lost. While one is not confirmed, nothing starts.
CREATE TABLE restores (
  restore_no     INTEGER PRIMARY KEY,
  detected_time  INTEGER NOT NULL,
  detected_by    TEXT NOT NULL,
  reason         TEXT NOT NULL,
  -- The newest head then; 0: none.
  last_head_no   INTEGER NOT NULL,
  reviewed_time  INTEGER,
  confirmed_time INTEGER,
  confirmed_by   TEXT,
  -- Only Unwrite confirms a restore: what is confirmed without its MAC is open again.
  confirm_mac    BLOB,
  -- Only Unwrite notices a restore and lists what it has lost: confirming does nothing about an entry without its MAC.
  mac            BLOB
) STRICT;

CREATE UNIQUE INDEX restores_open ON restores ((confirmed_time IS NULL)) WHERE confirmed_time IS NULL;

CREATE TABLE restore_findings (
  what               TEXT NOT NULL,
  controller_id      TEXT NOT NULL,
  subject_request_id TEXT NOT NULL,
  time               INTEGER NOT NULL,
  -- Who knows it: a node, or a file.
  source             TEXT NOT NULL,
  mac                BLOB,
  PRIMARY KEY (what, controller_id, subject_request_id)
) STRICT;

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
  signature     BLOB NOT NULL,
  -- Only Unwrite cuts rows for their age: a record without its MAC says nothing about what is missing.
  mac           BLOB
) STRICT;

-- Requests whose receipt is not signed, because what it would state is not what the audit log says.
CREATE TABLE refused_receipts (
  request_no INTEGER PRIMARY KEY REFERENCES requests,
  time       INTEGER NOT NULL,
  reason     TEXT NOT NULL
) STRICT;

-- How far those who are told of the audit log are: the witness by the number of a head, the receiver of events by
-- the number of a row; and when each is told next.
CREATE TABLE audit_receivers (
  receiver    TEXT PRIMARY KEY,
  sent_no     INTEGER NOT NULL,
  -- Failures in a row, and the last one, which stays when it is over.
  failures    INTEGER NOT NULL DEFAULT 0,
  next_time   INTEGER NOT NULL DEFAULT 0,
  sent_time   INTEGER,
  failure     TEXT,
  failed_time INTEGER
) STRICT, WITHOUT ROWID;

-- Public keys of heads and receipts, each signed by the one before it. They stay for ever.
CREATE TABLE proof_keys (
  key_no          INTEGER PRIMARY KEY,
  key_id          TEXT NOT NULL UNIQUE,
  public_key      TEXT NOT NULL,
  created_time    INTEGER NOT NULL,
  previous_key_id TEXT,
  signature       BLOB NOT NULL,
  mac             BLOB NOT NULL
) STRICT;

-- How operators sign in. What opens something is kept as a keyed digest, and every row carries a MAC over what it says.
-- Sign-in links: each can be redeemed once.
CREATE TABLE operator_links (
  digest       BLOB PRIMARY KEY,
  -- Whose name the session gets.
  name         TEXT NOT NULL,
  role         TEXT NOT NULL,
  created_time INTEGER NOT NULL,
  expires_time INTEGER NOT NULL,
  used_time    INTEGER,
  mac          BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_sessions (
  digest       BLOB PRIMARY KEY,
  -- To be shown, and to end it; opens nothing.
  session_id   TEXT NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  role         TEXT NOT NULL,
  -- link or sso.
  way          TEXT NOT NULL,
  -- Of single sign-on: by which settings the role was given. With others the session is over.
  basis        TEXT,
  browser      TEXT,
  created_time INTEGER NOT NULL,
  used_time    INTEGER NOT NULL,
  expires_time INTEGER NOT NULL,
  mac          BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_sessions_of_name ON operator_sessions (name, created_time);

-- Scripts.
CREATE TABLE operator_clients (
  client_id    TEXT PRIMARY KEY,
  digest       BLOB NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  role         TEXT NOT NULL,
  created_time INTEGER NOT NULL,
  -- Null where it has no end.
  expires_time INTEGER,
  revoked_time INTEGER,
  mac          BLOB NOT NULL
) STRICT;

-- What the console's lists and graphs read. A chore counts behind the arrivals, so that no create and no settle pays for it.
-- Requests that came on a day (UTC, days since 1970), and between which numbers they are.
CREATE TABLE daily_arrivals (
  day              INTEGER NOT NULL,
  controller_id    TEXT NOT NULL,
  count            INTEGER NOT NULL,
  first_request_no INTEGER NOT NULL,
  last_request_no  INTEGER NOT NULL,
  PRIMARY KEY (day, controller_id)
) STRICT, WITHOUT ROWID;

-- In which blocks of a thousand or so request numbers a controller has requests: a list of its requests reads only those.
CREATE TABLE request_blocks (
  controller_id TEXT NOT NULL,
  block         INTEGER NOT NULL,
  PRIMARY KEY (controller_id, block)
) STRICT, WITHOUT ROWID;

-- How long the requests took that were completed on a day: how many in each class of durations.
CREATE TABLE completion_times (
  day      INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  PRIMARY KEY (day, duration)
) STRICT, WITHOUT ROWID;

-- How far the chore has counted.
CREATE TABLE statistics_progress (
  one             INTEGER PRIMARY KEY CHECK (one = 1),
  seen_request_no INTEGER NOT NULL,
  seen_final_time INTEGER NOT NULL,
  seen_final_no   INTEGER NOT NULL,
  counted_time    INTEGER NOT NULL
) STRICT;
