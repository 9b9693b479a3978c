import {
  flag,
  integer,
  list,
  maybeInteger,
  maybeText,
  maybeTime,
  oneOf,
  orNull,
  record,
  text,
  time,
} from '../shared/shapes.ts';

export const alarmShape = record({
  alarm: integer,
  kind: text,
  percent: maybeInteger,
  controller_id: maybeText,
  subject_request_id: maybeText,
  target: maybeText,
  deadline: maybeTime,
  count: integer,
  message: text,
  raised_time: time,
  delivered_time: { ...maybeText, description: 'A time, "given up", or null' },
});

export const settingsShape = record({
  file: maybeText,
  settings: list(record({ name: text, value: text, source: text })),
});

export const processorCertificateShape = {
  ...orNull(
    record({
      subject: text,
      state: oneOf('valid', 'not_yet', 'expiring', 'expired'),
      not_after: time,
      days_left: { ...integer, description: 'Negative: it has expired' },
    }),
  ),
  description: 'The certificate that answers are signed with; null without one',
};

export const systemShape = record({
  version: text,
  node_version: text,
  store: oneOf('sqlite', 'postgres'),
  role: text,
  started_time: time,
  ready: flag,
  reasons: list(text),
  public_url: text,
  certificate: orNull(record({ subject: text, not_after: time, days_left: integer })),
  processor_certificate: processorCertificateShape,
  master_keys_from: oneOf('file', 'environment'),
});

export const nodeShape = record({
  node: text,
  host: text,
  pid: integer,
  role: text,
  version: text,
  started_time: time,
  seen_time: time,
  is_alive: flag,
  state: text,
  configuration: text,
  batches: list(record({ target: text, tasks: integer }, true)),
});

export const keysShape = record({
  items: list(
    record({
      master_key: text,
      state: text,
      created_time: maybeTime,
      retired_time: maybeTime,
      sealed: integer,
      capped: flag,
      destroyable_time: maybeTime,
    }),
  ),
  signing_keys: list(
    record({
      kid: text,
      created_time: time,
      retired_time: maybeTime,
      revoked_time: maybeTime,
    }),
  ),
});

export const restoreShape = record({
  went_back: flag,
  detected_time: maybeTime,
  detected_by: maybeText,
  reason: maybeText,
  last_head_no: maybeInteger,
  requests: list({ type: 'object' }),
  count: { ...integer, description: 'Of the whole list' },
  next: maybeText,
  etag: text,
});
