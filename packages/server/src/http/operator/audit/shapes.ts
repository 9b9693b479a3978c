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
  audit_no: {
    ...orNull(integer),
    description: 'null in the last row about a request: its creation, as the request itself has it',
  },
  time,
  actor: text,
  action: text,
  controller_id: maybeText,
  subject_request_id: maybeText,
  detail: anything,
});

export const damageSchema = record({
  rows: { ...list(integer), description: 'Missing, or not as sealed' },
  deleted_rows: list(auditRow),
  deleted_heads: list(integer),
  deleted_cut: orNull(integer),
});

export const verdictSchema = record({
  ok: flag,
  words: list(text),
  problems: list(text),
  accepted: { ...list(text), description: 'Places that an operator has accepted' },
  heads: integer,
  rows: integer,
  unsealed_rows: integer,
  cut_heads: integer,
  cut_until: orNull(record({ audit_no: integer, time })),
  last_head: orNull(record({ head_no: integer, hash: text })),
  verified_time: time,
});

export const receiptVerdictSchema = record({
  ok: flag,
  words: { ...list(text), description: 'What was verified, or what is wrong' },
  controller_id: maybeText,
  subject_request_id: maybeText,
  receipt_no: orNull(integer),
  signed_time: orNull(time),
  key_id: maybeText,
  in_audit_log: { ...flag, description: 'A proof in the receipt leads to its head' },
  receipt_in_audit_log: { ...flag, description: 'A proof shows that the log contains the receipt' },
  consistent_with: { ...list(integer), description: 'Numbers of the heads that were given' },
});

export const keysSchema = record({
  key_id: text,
  public_key: { ...text, description: 'PEM' },
  keys: { ...list(record({ key_id: text, created_time: time })), description: 'The oldest first' },
});
