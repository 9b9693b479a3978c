// What every store must do for events: a cursor in the log that loses nothing, over a real HTTP receiver.
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEventChores } from '../../src/app/events.ts';
import { createCutAudit } from '../../src/audit/cut-audit.ts';
import { createSignatureVerifier } from '../../src/audit/proof-key.ts';
import { createSealAudit } from '../../src/audit/seal-audit.ts';
import type { AuditAction } from '../../src/domain/audit/audit-row.ts';
import type { Chore } from '../../src/domain/chore.ts';
import { TURN_MS } from '../../src/domain/webhook-retry.ts';
import { sendEventsFrom } from '../../src/operator/event-webhook.ts';
import { answered, startEventReceiver } from '../helpers/http/event-receiver.ts';
import { signer } from './records/sealing-cases.ts';
import {
  ACME,
  DAY,
  MINUTE,
  NOON,
  type OpenRecords,
  type RecordsNode,
} from './records/under-test.ts';
import { useRecords } from './records/use-records.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = '0190c2c5-7c5e-7000-8000-000000000001';
const HOUR = 60 * MINUTE;

export function describeEvents(name: string, openRecords: OpenRecords): void {
  describe(`events in ${name}`, () => {
    const use = useRecords(openRecords);

    async function world(given: { readonly secret?: string } = {}) {
      const receiver = await startEventReceiver();
      onTestFinished(receiver.close);
      const clock = { now: NOON };
      const webhook = { url: receiver.url, secret: given.secret, allowPrivate: ['127.0.0.1'] };
      const told: (object & { message: string })[] = [];
      const warn = (fields: object, message: string) => void told.push({ ...fields, message });
      const choresOf = (node: RecordsNode) =>
        createEventChores(node, webhook, () => clock.now, warn) as [
          Chore & { idle(): Promise<void> },
        ];
      const [here] = choresOf(use().node);
      async function send(chore = here): Promise<boolean> {
        const isDue = await chore.isDue(clock.now);
        if (isDue) await chore.run(clock.now);
        await chore.idle();
        return isDue;
      }
      // The first look begins at the end of the log.
      await use().node.auditHeads.numberRows(1000);
      await send();
      return { receiver, clock, told, send, here, elsewhere: () => choresOf(use().other)[0] };
    }

    async function write(action: AuditAction, detail: object | null = null, time = NOON) {
      const { under, node } = use();
      await under.insert(under.newAuditRows, {
        time,
        actor: 'system',
        action,
        controller_id: ACME,
        subject_request_id: ID,
        detail: detail === null ? null : JSON.stringify(detail),
      });
      await node.auditHeads.numberRows(1000);
    }

    it('come in the order of the log, with nothing else that is in it, signed by Standard Webhooks', async () => {
      const { receiver, send } = await world({ secret: SECRET });
      expect(receiver.calls).toEqual([]);
      await write('request.started');
      await write('preview.run', { reason: 'secret' });
      await write('task.held', { target: 'shop', reason: 'over_cap', rows: 7 });
      await write('task.erased', { target: 'shop' });
      await write('request.completed');
      await write('request.cancelled', { reason: 'she called' });
      expect(await send()).toBe(true);
      expect(await send()).toBe(false);
      const [{ headers, body } = { headers: {}, body: '' }, ...more] = receiver.calls;
      expect(more).toEqual([]);
      // The clock of this test is not that of the library, which refuses old calls.
      const signed = new Webhook(SECRET).sign(
        headers['webhook-id'] as string,
        new Date(NOON),
        body,
      );
      expect(headers['webhook-signature']).toBe(signed);
      const about = { controller_id: ACME, subject_request_id: ID };
      const none = { target: null, reason: null };
      expect(JSON.parse(body)).toEqual({
        type: 'events',
        timestamp: new Date(NOON).toISOString(),
        data: [
          { type: 'request.started', ...about, ...none },
          { type: 'request.held', ...about, target: 'shop', reason: 'over_cap' },
          { type: 'request.completed', ...about, ...none },
          { type: 'request.cancelled', ...about, ...none },
        ].map((event) => ({
          id: expect.stringMatching(/^event_\d+_\d+$/),
          time: new Date(NOON).toISOString(),
          audit_no: expect.any(Number),
          ...event,
        })),
      });
      expect(new Set(receiver.kept()).size).toBe(4);
    });

    it('begin at the end of the log: a new receiver does not get the events of years', async () => {
      await write('request.completed');
      const { receiver, send } = await world();
      expect(await send()).toBe(false);
      expect(receiver.calls).toEqual([]);
    });

    it('arrive at last where the receiver fails, less and less often, in order and with the same ids', async () => {
      const { receiver, clock, send, told } = await world();
      receiver.answerWith(answered(500));
      await write('request.started');
      await send();
      await write('request.completed');
      expect(await send()).toBe(false);
      clock.now += 10_000;
      await send();
      clock.now += 10_000;
      expect(await send()).toBe(false);
      receiver.answerWith(answered(204));
      clock.now += 10_000;
      await send();
      expect(receiver.calls).toHaveLength(3);
      expect(receiver.events().map(({ type }) => type)).toEqual([
        'request.started',
        'request.started',
        'request.completed',
        'request.started',
        'request.completed',
      ]);
      expect(receiver.kept()).toHaveLength(2);
      expect(told).toMatchObject([
        { reason: 'it answered 500 instead of 2xx', failures: 1 },
        { failures: 2 },
      ]);
      // What failed last stays to be seen.
      expect(await use().node.events.progress()).toMatchObject({
        failures: 0,
        failure: 'it answered 500 instead of 2xx',
        failedTime: NOON + 10_000,
        sentTime: NOON + 30_000,
      });
    });

    it('raise an alarm once a day while they have not arrived for over an hour', async () => {
      const { receiver, clock, send } = await world();
      receiver.answerWith(answered(500));
      await write('request.started');
      const raised = async () =>
        (await use().node.alarms.alarms({ limit: 9 })).map(({ kind }) => kind);
      for (; clock.now < NOON + HOUR; clock.now += 10_000) await send();
      expect(await raised()).toEqual([]);
      for (; clock.now < NOON + 6 * HOUR; clock.now += MINUTE) await send();
      expect(await raised()).toEqual(['events_unsent']);
      for (; clock.now < NOON + DAY; clock.now += 10 * MINUTE) await send();
      expect(await raised()).toEqual(['events_unsent', 'events_unsent']);
    });

    it('come a hundred a call, however many wait', async () => {
      const { receiver, send } = await world();
      const { under, node } = use();
      const row = { time: NOON, actor: 'system', controller_id: ACME, subject_request_id: ID };
      for (let n = 0; n < 250; n++)
        await under.insert(under.newAuditRows, { ...row, action: 'request.started' });
      await node.auditHeads.numberRows(1000);
      await send();
      expect(receiver.calls.map(({ body }) => JSON.parse(body).data.length)).toEqual([
        100, 100, 50,
      ]);
      expect(receiver.kept()).toHaveLength(250);
      expect(await send()).toBe(false);
    });

    it('are sent by one node at a time, and by the other after one died in the middle', async () => {
      const { receiver, clock, send, here, elsewhere } = await world();
      await write('request.started');
      const other = elsewhere();
      let release = () => {};
      const arrived = new Promise<void>((resolve) => {
        receiver.answerWith((response) => {
          resolve();
          release = () => answered(200)(response);
        });
      });
      await here.run(clock.now);
      await arrived;
      expect(await send(other)).toBe(false);
      await other.run(clock.now);
      await other.idle();
      expect(receiver.calls).toHaveLength(1);
      // As if this node had died before it wrote down that they arrived.
      clock.now += TURN_MS;
      receiver.answerWith(answered(200));
      expect(await send(other)).toBe(true);
      expect(receiver.calls).toHaveLength(2);
      release();
      await here.idle();
      expect(receiver.kept()).toHaveLength(1);
      expect(await send()).toBe(false);
    });

    it('are sent again from a row or from a time on, and who asked for it is in the log', async () => {
      const { receiver, send, clock } = await world();
      for (let n = 1; n <= 4; n++) await write('request.started', null, NOON + n * HOUR);
      await send();
      const numbers = receiver.events().map(({ audit_no: number }) => number);
      const store = use().node;
      const by = { actor: 'operator:olga', now: clock.now };
      const again = async (from: Parameters<typeof sendEventsFrom>[1]) => {
        const before = receiver.events().length;
        await sendEventsFrom(store, from, true, by);
        await send();
        return receiver
          .events()
          .slice(before)
          .map(({ audit_no: number }) => number);
      };
      expect(await again({ auditNo: numbers[2] ?? 0 })).toEqual(numbers.slice(2));
      expect(await again({ time: NOON + 2 * HOUR })).toEqual(numbers.slice(1));
      expect(await again({ time: 0 })).toEqual(numbers);
      expect(receiver.kept()).toHaveLength(4);
      expect((await store.auditLog.list({ limit: 1 }))[0]).toMatchObject({
        actor: 'operator:olga',
        action: 'events.sent_again',
      });
      await expect(again({ time: NOON + DAY })).rejects.toThrow(/nothing is in the audit log/);
      await expect(sendEventsFrom(store, { time: 0 }, false, by)).rejects.toThrow(
        /events.webhook is not set/,
      );
    });

    it('asked for again while a call is under way are not forgotten when it arrives', async () => {
      const { receiver, send, here, clock } = await world();
      await write('request.started');
      await write('request.completed');
      await send();
      const [first] = receiver.events();
      await write('request.cancelled');
      let release = () => {};
      const arrived = new Promise<void>((resolve) => {
        receiver.answerWith((response) => {
          receiver.answerWith(answered(200));
          release = () => answered(200)(response);
          resolve();
        });
      });
      await here.run(clock.now);
      await arrived;
      const by = { actor: 'operator:olga', now: clock.now };
      await sendEventsFrom(use().node, { auditNo: first?.audit_no ?? 0 }, true, by);
      release();
      await here.idle();
      await send();
      expect(receiver.events().slice(3)).toHaveLength(3);
    });

    it('whose rows were cut before they were sent are told as lost, with an alarm', async () => {
      const { receiver, clock, send } = await world();
      const { node } = use();
      const seal = () => createSealAudit(node.auditHeads, signer)(clock.now);
      receiver.answerWith(answered(500));
      await write('request.started');
      await seal();
      await send();
      clock.now += DAY;
      await write('request.completed');
      await seal();
      const verifySignature = createSignatureVerifier([signer.publicKey]);
      const cut = createCutAudit({
        store: node.auditHeads,
        signer,
        verifySignature,
        retentionMs: HOUR,
      });
      expect(await cut(clock.now)).toMatchObject({ heads: 1 });
      receiver.answerWith(answered(200));
      await send();
      expect(receiver.events().map(({ type }) => type)).toEqual([
        'request.started',
        'events.lost',
        'request.completed',
      ]);
      expect(receiver.events()[1]).toMatchObject({
        reason: expect.stringMatching(/^the rows of the audit log from \d+ to \d+ were cut/),
      });
      const [alarm] = await node.alarms.alarms({ limit: 1 });
      expect(alarm).toMatchObject({
        kind: 'events_unsent',
        message: expect.stringContaining('events were never sent'),
      });
    });

    it('are not made of rows that somebody else wrote', async () => {
      const { receiver, send } = await world();
      const { under } = use();
      await under.insert(under.newAuditRows, {
        time: NOON,
        actor: 'system',
        action: 'request.completed',
        controller_id: ACME,
        subject_request_id: ID,
        mac: null,
      });
      await write('request.started');
      await send();
      expect(receiver.events().map(({ type }) => type)).toEqual(['request.started']);
    });

    it('go on where the end of the log was cut off', async () => {
      const { receiver, send } = await world();
      await write('request.started');
      await send();
      await use().under.update('audit_receivers', { receiver: 'events' }, { sent_no: 1_000_000 });
      await send();
      expect(await send()).toBe(false);
      await write('request.completed');
      await send();
      expect(receiver.events().map(({ type }) => type)).toEqual([
        'request.started',
        'request.completed',
      ]);
    });
  });
}
