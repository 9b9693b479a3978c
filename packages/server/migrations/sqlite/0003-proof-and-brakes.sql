-- What makes the audit log provable, what was signed, what stops erasing, and what was raised.

-- Chained and signed. The digests of its rows, 16 bytes each, tell which of them was changed; null once
-- the rows are cut for their age. They are last, so that the rest is read without them.
CREATE TABLE audit_heads (
  head_no        INTEGER PRIMARY KEY,
  first_audit_no INTEGER NOT NULL,
  last_audit_no  INTEGER NOT NULL,
  time           INTEGER NOT NULL,
  previous_hash  BLOB NOT NULL,
  rows_hash      BLOB NOT NULL,
  hash           BLOB NOT NULL,
  key_id         TEXT NOT NULL,
  signature      BLOB NOT NULL,
  row_digests    BLOB
) STRICT;

-- The signed document, exactly as it is given out. The first one of a request is its receipt, those
-- after it are addenda of later runs.
CREATE TABLE receipts (
  request_no   INTEGER NOT NULL REFERENCES requests,
  receipt_no   INTEGER NOT NULL,
  -- The last task that it covers; an addendum begins after it.
  last_task_no INTEGER NOT NULL,
  created_time INTEGER NOT NULL,
  document     TEXT NOT NULL,
  PRIMARY KEY (request_no, receipt_no)
) STRICT, WITHOUT ROWID;

-- Null while a receipt is due: at the completion, and again when the last task of a later run ends.
ALTER TABLE requests ADD COLUMN receipted_time INTEGER;
CREATE INDEX requests_without_receipt ON requests (request_no)
  WHERE status = 'completed' AND receipted_time IS NULL;

-- `*` stops all erasing, anything else one target.
CREATE TABLE brakes (
  scope       TEXT PRIMARY KEY,
  paused_time INTEGER NOT NULL,
  paused_by   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Counted by the day (UTC): rows erased of a target, requests started of a controller.
CREATE TABLE daily_counts (
  day   INTEGER NOT NULL,
  what  TEXT NOT NULL CHECK (what IN ('rows', 'starts', 'tasks', 'not_found')),
  whose TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, what, whose)
) STRICT, WITHOUT ROWID;

-- Each is raised once; those without a delivered time are still on their way to the webhook.
CREATE TABLE alarms (
  alarm_no       INTEGER PRIMARY KEY,
  kind           TEXT NOT NULL,
  -- What it is about: a request, a controller, a target.
  subject        TEXT NOT NULL,
  request_no     INTEGER,
  percent        INTEGER NOT NULL,
  deadline       INTEGER,
  raised_time    INTEGER NOT NULL,
  delivered_time INTEGER,
  UNIQUE (kind, subject, percent)
) STRICT;

CREATE INDEX alarms_to_deliver ON alarms (alarm_no) WHERE delivered_time IS NULL;
CREATE INDEX alarms_of_request ON alarms (request_no) WHERE request_no IS NOT NULL;

-- For shredding: completed, and the identities still sealed.
ALTER TABLE requests ADD COLUMN shredded_time INTEGER;
CREATE INDEX requests_to_shred ON requests (completed_time)
  WHERE status = 'completed' AND shredded_time IS NULL;
-- For forgetting for good.
CREATE INDEX requests_final ON requests (coalesce(completed_time, cancelled_time))
  WHERE status IN ('completed', 'cancelled');
