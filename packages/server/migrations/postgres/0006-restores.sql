-- The store went back in time, and what is known of the time that it lost. While one is not confirmed, nothing starts.
CREATE TABLE @restores (
  restore_no     bigint PRIMARY KEY,
  detected_time  bigint NOT NULL,
  detected_by    text NOT NULL,
  reason         text NOT NULL,
  -- The newest head then; 0: none.
  last_head_no   bigint NOT NULL,
  reviewed_time  bigint,
  confirmed_time bigint,
  confirmed_by   text
);

CREATE UNIQUE INDEX restores_open ON @restores ((confirmed_time IS NULL)) WHERE confirmed_time IS NULL;

CREATE TABLE @restore_findings (
  what               text COLLATE "C" NOT NULL,
  controller_id      text COLLATE "C" NOT NULL,
  subject_request_id text COLLATE "C" NOT NULL,
  time               bigint NOT NULL,
  -- Who knows it: a node, or a file.
  source             text NOT NULL,
  PRIMARY KEY (what, controller_id, subject_request_id)
);
