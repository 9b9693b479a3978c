import {
  anything,
  flag,
  integer,
  list,
  maybeText,
  orNull,
  record,
  text,
  time,
} from '../shared/shapes.ts';

export const auditRow = record({
  audit_no: integer,
  time,
  actor: text,
  action: text,
  controller_id: maybeText,
  subject_request_id: maybeText,
  detail: anything,
});

export const verdictSchema = record({
  ok: flag,
  words: list(text),
  problems: list(text),
  heads: integer,
  rows: integer,
  unsealed_rows: integer,
  cut_heads: integer,
  cut_until: orNull(record({ audit_no: integer, time })),
  last_head: orNull(record({ head_no: integer, hash: text })),
  verified_time: time,
});

export const keysSchema = record({
  key_id: text,
  public_key: { ...text, description: 'PEM' },
  keys: { ...list(record({ key_id: text, created_time: time })), description: 'The oldest first' },
});
