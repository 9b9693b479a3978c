// Alarms, and the test of the webhook that they are sent to.
import { ALARM_KINDS } from '../../../domain/alarm/alarm.ts';
import { NotPossible } from '../../../domain/task/operator-ports.ts';
import { alarmShape } from '../../../operator/alarm-shape.ts';
import type { OperatorContext } from '../context.ts';
import { readCursor, writeCursor } from '../shared/cursor.ts';
import { limitOf, pageQuery } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { flag, list, page, record } from '../shared/shapes.ts';
import { alarmShape as alarmSchema } from './shapes.ts';

const TAG = 'Alarms';

export function alarmRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store } = context;
  route({
    method: 'GET',
    path: '/alarms',
    role: 'viewer',
    id: 'listAlarms',
    tag: TAG,
    summary: 'Alarms, newest first',
    query: {
      type: 'object',
      required: [],
      properties: {
        ...pageQuery,
        kind: { enum: ALARM_KINDS },
        target: { type: 'string', maxLength: 200 },
      },
    },
    answer: page(alarmSchema),
    async handle({ query }) {
      const [after] = (readCursor(query.after, ['number']) ?? []) as number[];
      const { items, next } = await store.views.alarms({
        limit: limitOf(query),
        ...(query.kind !== undefined && { kind: query.kind }),
        ...(query.target !== undefined && { target: query.target }),
        ...(after !== undefined && { after }),
      });
      return { items: items.map(alarmShape), next: writeCursor(next === null ? null : [next]) };
    },
  });
  route({
    method: 'POST',
    path: '/alarms/test',
    role: 'admin',
    id: 'testAlarm',
    tag: TAG,
    summary: 'Send a test alarm to alarms.webhook and alarms.mail_to',
    answer: record({ delivered: flag, answers: list({ type: 'string' }) }),
    errors: [409],
    async handle() {
      const testAlarm = context.testAlarm();
      if (testAlarm === undefined) {
        throw new NotPossible(
          'neither alarms.webhook nor alarms.mail_to is set: give one in the settings and reload them',
        );
      }
      const posted = await testAlarm(Date.now());
      const failed = posted.flatMap((one) => (one.ok ? [] : [one.reason]));
      if (failed.length === 0)
        return { delivered: true, answers: posted.flatMap((one) => (one.ok ? [one.answer] : [])) };
      throw new NotPossible(
        `the test did not arrive: ${failed.join('; ')}; check the settings of alarms and what listens there`,
      );
    },
  });
}
