// How far the receiver of events is, and sending again. The stream of changes for the console is in events/.
import { eventsStatus, type SendFrom, sendEventsFrom } from '../../../operator/event-webhook.ts';
import { InvalidInput } from '../../../operator/failures.ts';
import type { OperatorContext } from '../context.ts';
import { timeOf } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { flag, integer, maybeText, maybeTime, record } from '../shared/shapes.ts';

const TAG = 'Events';

const statusSchema = record({
  is_set: { ...flag, description: 'Whether events.webhook is set on this node' },
  sent_audit_no: { ...integer, description: 'Everything up to this row of the audit log is sent' },
  newest_audit_no: integer,
  sent_time: maybeTime,
  failures: { ...integer, description: 'In a row; 0 if the last attempt arrived' },
  failure: { ...maybeText, description: 'The last one, also if it is over' },
  failed_time: maybeTime,
  next_time: maybeTime,
});

export function eventWebhookRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store } = context;
  const isSet = () => context.settings().sendsEvents;
  route({
    method: 'GET',
    path: '/events/webhook',
    role: 'viewer',
    id: 'getEventWebhook',
    tag: TAG,
    summary: 'How far events.webhook is in the audit log, and its last failure',
    answer: statusSchema,
    handle: () => eventsStatus(store, isSet()),
  });
  route({
    method: 'POST',
    path: '/events/webhook/send-from',
    role: 'operator',
    id: 'sendEventsFrom',
    tag: TAG,
    summary: 'Send all events from a time or a row of the audit log on, again if they were sent',
    description: 'Exactly one of audit_no and time. Events keep their ids.',
    body: {
      type: 'object',
      required: [],
      properties: {
        audit_no: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        time: { type: 'string', maxLength: 40, description: 'A day or a time' },
      },
    },
    answer: statusSchema,
    errors: [409],
    handle: ({ body, by }) => sendEventsFrom(store, readFrom(body), isSet(), by),
  });
}

function readFrom(body: { audit_no?: number; time?: string }): SendFrom {
  const time = timeOf('time', body.time);
  if (body.audit_no !== undefined && time === undefined) return { auditNo: body.audit_no };
  if (body.audit_no === undefined && time !== undefined) return { time };
  throw new InvalidInput('audit_no', 'or time must be given, and not both');
}
