import { REQUEST_STATUSES } from '@unwrite/protocol';
import { OUTCOMES } from '../../../domain/request/outcome.ts';
import { TASK_STATES } from '../../../domain/task/task.ts';
import { legalHoldSchema } from '../legal-holds/shapes.ts';
import {
  byName,
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

const line = {
  controller_id: text,
  subject_request_id: text,
  request_status: oneOf(...REQUEST_STATUSES),
  regulation: text,
  submitted_time: text,
  received_time: time,
  expected_completion_time: time,
  cancelled_time: maybeTime,
  completed_time: maybeTime,
  extended_until: { ...maybeTime, description: 'The statutory deadline, where it was extended' },
  identities: integer,
  statutory_deadline: time,
  outcome: oneOf(...OUTCOMES),
  open_tasks: orNull(
    record({ held: integer, failed: integer, waiting: integer, running: integer }),
  ),
};

export const requestLineShape = record(line);

const table = {
  type: 'object',
  properties: { action: text, rows: integer, reason: text },
  required: ['action', 'rows'],
};

export const taskCardShape = record({
  task: integer,
  controller_id: text,
  subject_request_id: text,
  target: text,
  connector: text,
  run: integer,
  state: oneOf(...TASK_STATES),
  phase: oneOf('resolve', 'erase'),
  attempts: integer,
  next_try: maybeTime,
  waits_for: {
    ...list(text),
    description: 'Targets that have to be done, or to look up, before it',
  },
  reason: maybeText,
  detail: maybeText,
  previewed_rows: maybeInteger,
  intent: orNull(byName(integer)),
  reported: orNull(byName(table)),
  changed_time: time,
  deadline: time,
  evidence: orNull({ type: 'object', description: 'As on the receipt' }),
  etag: text,
  what_to_do: maybeText,
  words: { ...list(text), description: 'The evidence in plain words' },
  instructions: { ...maybeText, description: 'For a person who erases by hand' },
  actions: list(oneOf('release', 'retain', 'confirm')),
});

export const requestPageShape = record({
  ...line,
  etag: text,
  outcome: { ...oneOf(...OUTCOMES), description: 'What became of the person' },
  created_by: text,
  latest_extension: time,
  plan: orNull(list(record({ target: text, connector: text, digest: text }))),
  legal_holds: { ...list(legalHoldSchema), description: 'Those in force on this request' },
  identity_list: list(
    record({
      identity: integer,
      identity_type: { ...text, description: 'Those that were looked up may be internal.<name>' },
      masked: { ...text, description: 'Never the whole value' },
      source: { ...text, description: 'request, or who added it' },
    }),
  ),
  timeline: list({
    ...record({
      step: oneOf(
        'received',
        'window_ends',
        'started',
        'target',
        'completed',
        'cancelled',
        'receipt',
        'shredded',
      ),
      time: maybeTime,
      done: flag,
      words: text,
    }),
    additionalProperties: true,
  }),
  tasks: list(taskCardShape),
  receipts: list(record({ number: integer, created_time: time })),
  receipt_refused: { ...maybeText, description: 'Why no receipt is signed' },
  actions: list(
    oneOf(
      'start',
      'cancel',
      'extend',
      'hold',
      'retry',
      'identities',
      'preview',
      'receipt',
      'reveal',
    ),
  ),
});

export const previewShape = record({
  controller_id: text,
  subject_request_id: maybeText,
  identities_looked_up: integer,
  waits_for: list(text),
  starts_tomorrow: flag,
  targets: list(
    record({
      target: text,
      connector: text,
      outcome: oneOf(
        'would_erase',
        'not_found',
        'would_hold',
        'would_wait',
        'would_skip',
        'failed',
      ),
      reason: maybeText,
      detail: maybeText,
      rows: byName(integer),
      retained: byName(integer),
      detached: byName(integer),
      shared_kept: byName(integer),
    }),
  ),
});
