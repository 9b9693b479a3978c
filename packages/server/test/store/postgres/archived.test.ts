// Old final requests lie apart from those that are worked on. Nobody who asks for one sees that.
import { randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anAlarm } from '../../../src/domain/alarm/alarm.ts';
import { appendAudit } from '../../../src/store/shared/audit/append-audit.ts';
import {
  ACME,
  addControllers,
  createRecords,
  DAY,
  NOON,
  type Records,
} from '../../contract/records/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../helpers/stores/open-postgres-records.ts';
import { receiptTexts } from '../../receipts/facts.ts';

describe.skipIf(!(await hasPostgres()))('archived requests', () => {
  let under: PostgresRecords;
  let records: Records;
  beforeEach(async () => {
    under = await openPostgresRecords();
    records = createRecords(under);
    await addControllers(under.node);
  });
  afterEach(() => under.close());

  async function archive(requestNo: number): Promise<void> {
    await under.database.run(
      `WITH moved AS (DELETE FROM @requests WHERE request_no = $1 RETURNING *)
       INSERT INTO @archived_requests SELECT * FROM moved`,
      [requestNo],
    );
  }

  async function archived(changes = {}) {
    const request = await records.completed({
      receipted_time: NOON,
      shredded_time: NOON,
      ...changes,
    });
    await archive(request.requestNo);
    return request;
  }

  it('are listed and found with the others', async () => {
    const old = await archived();
    const open = await records.request();
    const { catalogue, views } = under.node;
    const ids = async (filter = {}) =>
      (await views.requests({ limit: 9, ...filter })).items.map((it) => it.subjectRequestId);
    expect(await ids()).toEqual([open.subjectRequestId, old.subjectRequestId]);
    expect(await ids({ status: 'completed' })).toEqual([old.subjectRequestId]);
    expect(await catalogue.find(old.subjectRequestId.toUpperCase(), ACME)).toMatchObject([
      { subjectRequestId: old.subjectRequestId, status: 'completed', completedTime: NOON },
    ]);
    const unknown = randomUUID() as SubjectRequestId;
    expect(await catalogue.find(unknown)).toEqual([]);
  });

  it('show what happened to them, and their receipts', async () => {
    const request = await records.completed({ shredded_time: NOON });
    const receipt = { ...request, receiptNo: 1, lastTaskNo: 1, ...receiptTexts('{}') };
    await under.node.receipts.add([receipt], NOON);
    const alarm = anAlarm('expected_deadline', 'request 1', 'late', NOON, { requestNo: 1 });
    await under.node.conditions.raise([alarm]);
    await archive(request.requestNo);
    const { receipts, catalogue, alarms } = under.other;
    expect(await receipts.given(request)).toMatchObject([{ document: '{}' }]);
    expect(await receipts.dueOf(request)).toBeUndefined();
    const rows = await catalogue.auditOf(ACME, request.subjectRequestId);
    expect(rows.map(({ action }) => action)).toEqual(['receipt.signed']);
    const [listed] = await alarms.alarms({ limit: 1 });
    expect(listed?.subjectRequestId).toBe(request.subjectRequestId);
  });

  it('get no receipt from a node that was slow', async () => {
    const request = await archived();
    const receipt = { ...request, receiptNo: 1, lastTaskNo: 1, ...receiptTexts('{}') };
    await under.node.receipts.add([receipt], NOON);
    await under.node.receipts.nothingDue([request.requestNo], NOON);
    expect(await under.rows('receipts')).toEqual([]);
    expect(await under.node.auditLog.list({ action: 'receipt.signed', limit: 9 })).toEqual([]);
  });

  it('are removed from deadline watching', async () => {
    const { requestNo } = await archived();
    await under.insert('watched_requests', { request_no: requestNo, next_time: 0 });
    const { watch } = under.node;
    expect(await watch.hasToLook(NOON)).toBe(true);
    const fail = () => {
      throw new Error('there is nothing to look at');
    };
    expect(await watch.look(NOON, fail)).toEqual([]);
    expect(await under.rows('watched_requests')).toEqual([]);
  });

  it('are forgotten with everything that belongs to them, among the others', async () => {
    const { forgetting } = under.node;
    const old = [await archived(), await archived({ completed_time: NOON + DAY })];
    const final = await records.completed({ receipted_time: NOON, shredded_time: NOON });
    await records.request();
    for (const { requestNo: request_no } of old) {
      await under.insert('watched_requests', { request_no, next_time: 0 });
      await under.insert('identity_digests', { digest: Buffer.alloc(32), request_no });
    }
    await appendAudit(under.database, [
      ...[{ time: NOON, actor: 'system', action: 'request.shredded' as const }].map((row) => ({
        ...row,
        controllerId: ACME,
        subjectRequestId: null,
        detail: null,
        requestNo: 1,
      })),
    ]);
    expect(await forgetting.anyToForget(NOON - 1)).toBe(false);
    expect(await forgetting.anyToForget(NOON)).toBe(true);
    expect(await forgetting.forget(NOON, 1)).toBe(1);
    expect(await forgetting.forget(NOON, 10)).toBe(1);
    expect(await forgetting.forget(NOON, 10)).toBe(0);
    expect(await under.node.catalogue.find(final.subjectRequestId)).toEqual([]);
    expect(await under.rows('archived_requests')).toHaveLength(1);
    expect(await forgetting.forget(NOON + DAY, 10)).toBe(1);
    expect(await forgetting.anyToForget(NOON + 9 * DAY)).toBe(false);
    for (const table of ['archived_requests', 'tasks', 'watched_requests', 'identity_digests']) {
      expect(await under.rows(table)).toEqual([]);
    }
    expect(await under.rows('requests')).toHaveLength(1);
  });

  it('keep the plans that they were started with', async () => {
    for (const plan_id of ['used', 'archived', 'unused']) {
      await under.insert('plans', { plan_id, targets: '[]', created_time: NOON });
    }
    await under.insert('plans', { plan_id: 'young', targets: '[]', created_time: NOON + 1 });
    await archived({ plan_id: 'archived' });
    await records.completed({ plan_id: 'used' });
    const alarm = anAlarm('worker_failing', 'w', 'it fails', NOON);
    await under.node.conditions.raise([alarm, { ...alarm, subject: 'x', raisedTime: NOON + 1 }]);
    for (const day of [-1, 1, 2, 3]) {
      await under.insert('daily_counts', { day, what: 'starts', whose: ACME, count: 1 });
    }
    await under.node.forgetting.sweep(NOON);
    const plans = (await under.rows('plans')).map(({ plan_id }) => plan_id).sort();
    expect(plans).toEqual(['archived', 'used', 'young']);
    expect((await under.rows('alarms')).map(({ subject }) => subject)).toEqual(['x']);
    expect((await under.rows('daily_counts')).map(({ day }) => day)).toEqual([-1]);
  });

  it('do not break the numbering: the newest of all stays', async () => {
    await archived();
    expect(await under.node.forgetting.anyToForget(NOON)).toBe(false);
    expect(await under.node.forgetting.forget(NOON, 10)).toBe(0);
    await records.request();
    expect(await under.node.forgetting.forget(NOON, 10)).toBe(1);
  });
});
