-- What the console's lists and graphs read. A chore counts behind the arrivals, so that no create and no settle pays for it.
-- Requests that came on a day (UTC, days since 1970), and between which numbers they are.
CREATE TABLE @daily_arrivals (
  day              bigint NOT NULL,
  controller_id    text COLLATE "C" NOT NULL,
  count            bigint NOT NULL,
  first_request_no bigint NOT NULL,
  last_request_no  bigint NOT NULL,
  PRIMARY KEY (day, controller_id)
);

-- In which blocks of a thousand or so request numbers a controller has requests: a list of its requests reads only those.
CREATE TABLE @request_blocks (
  controller_id text COLLATE "C" NOT NULL,
  block         bigint NOT NULL,
  PRIMARY KEY (controller_id, block)
);

-- How long the requests took that were completed on a day: how many in each class of durations.
CREATE TABLE @completion_times (
  day      bigint NOT NULL,
  duration bigint NOT NULL,
  count    bigint NOT NULL,
  PRIMARY KEY (day, duration)
);

-- How far the chore has counted.
CREATE TABLE @statistics_progress (
  one             bigint PRIMARY KEY CHECK (one = 1),
  seen_request_no bigint NOT NULL,
  seen_final_time bigint NOT NULL,
  seen_final_no   bigint NOT NULL,
  counted_time    bigint NOT NULL
);

-- Few tasks are ever in them: what goes well is neither held nor failed.
CREATE INDEX tasks_stuck ON @tasks (state, request_no) WHERE state IN ('held', 'failed');
CREATE INDEX tasks_without_due_time ON @tasks (request_no) WHERE state = 'waiting' AND due_time IS NULL;
CREATE INDEX requests_cancelled ON @requests (cancelled_time) WHERE status = 'cancelled';
CREATE INDEX archived_requests_cancelled ON @archived_requests (cancelled_time) WHERE status = 'cancelled';
CREATE INDEX audit_by_operators ON @audit_rows (audit_no) WHERE substr(actor, 1, 9) = 'operator:';
