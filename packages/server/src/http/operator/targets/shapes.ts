import { pauseShape } from '../overview/shapes.ts';
import {
  anything,
  byName,
  flag,
  integer,
  list,
  maybeInteger,
  maybeText,
  oneOf,
  orNull,
  record,
  text,
  time,
} from '../shared/shapes.ts';
import { alarmShape } from '../system/shapes.ts';

const line = {
  name: text,
  etag: text,
  connector: text,
  mode: oneOf('erase', 'preview'),
  tenancy: maybeText,
  controllers: { ...orNull(list(text)), description: 'Null: all' },
  hours: maybeText,
  digest: maybeText,
  state: oneOf('up', 'down', 'refused', 'paused', 'manual', 'removed'),
  open_now: { ...flag, description: 'By its hours' },
  pause: orNull(pauseShape),
  trouble: orNull(
    record({ code: text, detail: text, failures: integer, since: time, next_try: time }),
  ),
  backlog: record({
    waiting: integer,
    running: integer,
    failed: integer,
    held: integer,
    capped: flag,
  }),
  today: record({
    rows: integer,
    max_rows_per_day: maybeInteger,
    tasks: integer,
    not_found: integer,
  }),
};

export const targetLineShape = record(line);

const node = record({
  table: text,
  effect: oneOf('deleted', 'overwritten', 'retained', 'removed_by_cascade', 'stays'),
  columns: { ...list(text), description: 'Those that are overwritten' },
  reason: maybeText,
  match: list({ type: 'object', properties: { type: text, column: text } }),
  where: orNull(byName(anything)),
  tenant_column: maybeText,
  tenant_tables: {
    ...list(text),
    description: 'Where it has no such column, or that is NULL: tables whose rows have the tenant',
  },
  shared: orNull(oneOf('hold', 'erase', 'keep')),
  when_unmatched: orNull(oneOf('hold', 'skip')),
});

export const checkShape = record({
  target: text,
  checked_time: time,
  ok: flag,
  lines: list({
    type: 'object',
    properties: { level: oneOf('ok', 'warning', 'problem'), subject: text, message: text },
  }),
  plan: orNull(
    record({
      nodes: list(node),
      edges: list(
        record({
          from: { ...text, description: 'The table that is referred to' },
          to: { ...text, description: 'The table that refers to it' },
          columns: { ...byName(text), description: 'Its columns, and those of the other' },
          kind: oneOf('reference', 'emptied'),
        }),
      ),
    }),
  ),
});

export const targetPageShape = record({
  ...line,
  throughput: list(
    record({ day: text, tasks: integer, rows: integer, not_found: integer, deferred: integer }),
  ),
  errors: list(alarmShape),
  limits: orNull(
    record({
      max_rows_per_subject: integer,
      batch_size: integer,
      concurrency: integer,
      when_unmatched: oneOf('hold', 'skip'),
    }),
  ),
  last_check: orNull(checkShape),
});
