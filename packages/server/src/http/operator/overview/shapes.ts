import { REQUEST_STATUSES } from '@unwrite/protocol';
import { WHAT_TO_DO } from '../../../operator/overview/what-to-do.ts';
import {
  flag,
  integer,
  list,
  maybeInteger,
  maybeText,
  maybeTime,
  number,
  oneOf,
  orNull,
  record,
  text,
  time,
} from '../shared/shapes.ts';
import { alarmShape, processorCertificateShape } from '../system/shapes.ts';

export const pauseShape = record({
  target: { ...maybeText, description: 'Null: all erasing' },
  paused_time: time,
  paused_by: text,
});

const attentionItem = record({
  controller_id: text,
  subject_request_id: text,
  task: maybeInteger,
  deadline: {
    ...time,
    description: 'The expected completion, or that of the law if it is earlier',
  },
  target: maybeText,
  state: text,
  reason: text,
  detail: text,
  what: oneOf(...WHAT_TO_DO),
  etag: { ...maybeText, description: 'Of the task: for If-Match' },
});

export const attentionShape = record({ items: list(attentionItem), capped: flag });

const group = record({
  what: oneOf(...WHAT_TO_DO),
  title: text,
  count: integer,
  capped: flag,
  reasons: list(record({ reason: text, count: integer })),
  targets: list(text),
  items: list(attentionItem),
});

const deadline = record({
  controller_id: text,
  subject_request_id: text,
  request_status: oneOf(...REQUEST_STATUSES),
  regulation: text,
  received_time: time,
  expected_completion_time: time,
  statutory_deadline: time,
  nearest: oneOf('expected', 'statutory'),
  days_left: { ...number, description: 'Negative: it has passed' },
});

export const overviewShape = record({
  now: time,
  paused: list(pauseShape),
  restore_open: { ...flag, description: 'The store went back in time; nothing is erased' },
  sandbox: { ...flag, description: 'A place to try: people are invented, nothing is erased' },
  certificate: processorCertificateShape,
  attention: record({ total: integer, capped: flag, groups: list(group) }),
  deadlines: record({
    nearest: list(deadline),
    days: list(
      record({
        days_left: { ...integer, description: '-1: it has passed' },
        count: { ...integer, description: 'Open requests that are expected to be completed then' },
        capped: flag,
        by_law: {
          ...integer,
          description:
            'Those whose time by law ends then, of the requests whose deadlines are near',
        },
        by_law_capped: {
          ...flag,
          description: 'There may be more: not all open requests were read',
        },
      }),
    ),
  }),
  requests: record({
    pending: integer,
    in_progress: integer,
    completed: integer,
    cancelled: integer,
    capped: list(oneOf('pending', 'in_progress')),
  }),
  targets: record({
    total: integer,
    up: integer,
    down: integer,
    refused: integer,
    paused: integer,
    manual: integer,
  }),
  alarms: list(alarmShape),
  first_steps: orNull(
    record({
      steps: list(
        record({ step: oneOf('client', 'target', 'request'), title: text, done: flag, how: text }),
      ),
      controller_id: { ...maybeText, description: 'One that has a client' },
      request: orNull(
        record({
          controller_id: text,
          subject_request_id: text,
          request_status: oneOf(...REQUEST_STATUSES),
        }),
      ),
    }),
  ),
});

export const statisticsShape = record({
  from: { type: 'string', format: 'date' },
  until: { type: 'string', format: 'date' },
  days: list(
    record({
      day: { type: 'string', format: 'date' },
      arrived: integer,
      started: integer,
      completed: integer,
      cancelled: integer,
      completion_hours: orNull(record({ median: number, p90: number })),
    }),
  ),
  up_to: maybeTime,
});
