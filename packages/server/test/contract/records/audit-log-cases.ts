import { expect, it } from 'vitest';
import type { RequestPlace } from '../../../src/domain/operator/view-ports.ts';
import { findByBeginning } from '../../../src/operator/request/find-by-beginning.ts';
import { type LinesQuery, requestLines } from '../../../src/operator/request/request-line.ts';
import { evidence, receiptTexts } from '../../receipts/facts.ts';
import { ACME, GLOBEX, NOON } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

export function describeAuditLog(use: () => RecordsInUse): void {
  const write = async (actor: string, time: number, controllerId = ACME) => {
    const client = { clientId: 'a', controllerId, name: null, createdTime: 0, revokedTime: null };
    await use().node.tenantWriter.recordToken(client, time, actor);
  };

  it('lists the newest row first, sealed or not, numbered without gaps', async () => {
    const { node, other } = use();
    for (const time of [NOON, NOON + 1]) await write('operator:olga', time);
    await node.auditHeads.numberRows(100);
    // A clock may be set back: the order is that of the log.
    for (const time of [NOON - 1, NOON + 2]) await write('operator:olga', time);
    const rows = await other.auditLog.list({ limit: 100 });
    expect(rows.map(({ auditNo }) => auditNo)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(rows.slice(0, 4).map(({ time }) => time)).toEqual([NOON + 2, NOON - 1, NOON + 1, NOON]);
    expect(rows[0]).toEqual({
      auditNo: 6,
      time: NOON + 2,
      actor: 'operator:olga',
      action: 'token.issued',
      controllerId: ACME,
      subjectRequestId: null,
      detail: '{"client_id":"a"}',
    });
    expect((await other.auditLog.list({ limit: 3 })).map(({ auditNo }) => auditNo)).toEqual([
      6, 5, 4,
    ]);
    // They keep the numbers that they were shown with.
    await node.auditHeads.numberRows(100);
    expect(await other.auditLog.list({ limit: 100 })).toEqual(rows);
  });

  it('can be asked for what somebody did, when, and to whom', async () => {
    const { node, records, under } = use();
    await write('operator:olga', NOON);
    await write('operator:otto', NOON + 1, GLOBEX);
    const request = await records.completed({ receipted_time: NOON });
    await node.auditHeads.numberRows(2);
    expect(await node.forgetting.shred(NOON, 10, NOON + 2)).toBe(1);
    const list = async (filter: object) =>
      (await node.auditLog.list({ limit: 10, ...filter })).map(({ auditNo }) => auditNo);
    expect(await list({ actor: 'operator:otto' })).toEqual([4]);
    expect(await list({ controllerId: GLOBEX, action: 'token.issued' })).toEqual([4]);
    expect(await list({ since: NOON + 1, until: NOON + 2 })).toEqual([4]);
    expect(await list({ action: 'request.shredded' })).toEqual([5]);
    const subjectRequestId = request.subjectRequestId.toUpperCase();
    expect(await list({ subjectRequestId })).toEqual([5]);
    expect(await list({ subjectRequestId: 'anything' })).toEqual([]);
    expect(await list({ since: NOON, until: NOON + 3, action: 'nothing' })).toEqual([]);
    expect(await under.rows('audit_heads')).toEqual([]);
  });
}

export function describeCatalogue(use: () => RecordsInUse): void {
  it('lists requests by what became of the person', async () => {
    const { node, records } = use();
    const ended = async (outcome: 'erased' | 'not_found' | 'retained', time: number) => {
      const { requestNo, subjectRequestId } = await records.request({
        status: 'completed',
        started_time: NOON,
        completed_time: time,
      });
      const tables = outcome === 'not_found' ? {} : { people: { action: 'delete', rows: 1 } };
      await records.task(requestNo, {
        evidence: JSON.stringify({ ...evidence(), action: outcome, tables }),
      });
      return subjectRequestId;
    };
    const erased: string[] = [];
    for (let n = 0; n < 5; n++) erased.unshift(await ended('erased', NOON + n));
    const nowhere = await ended('not_found', NOON + 2);
    const open = await records.request();
    const list = async (query: Partial<LinesQuery>) => {
      const ids: string[] = [];
      let after: RequestPlace | null | undefined;
      for (let pages = 0; after !== null && pages < 9; pages++) {
        const page = await requestLines(node, { limit: 2, ...query, ...(after && { after }) });
        ids.push(...page.items.map((it) => it.subject_request_id));
        after = page.next;
      }
      return ids;
    };
    expect(await list({ outcome: 'erased' })).toEqual(erased);
    expect(await list({ outcome: 'found nowhere' })).toEqual([nowhere]);
    expect(await list({ outcome: 'erased', controllerId: GLOBEX })).toEqual([]);
    expect(await list({ outcome: 'erased', status: 'pending' })).toEqual([]);
    expect(await list({ outcome: 'partly retained' })).toEqual([]);
    const all = await requestLines(node, { limit: 9 });
    expect(all.items.map((it) => it.outcome)).toEqual([
      'still open',
      'found nowhere',
      ...erased.map(() => 'erased'),
    ]);
    expect(all.items[0]?.subject_request_id).toBe(open.subjectRequestId);
  });

  it('finds a request by its id in any case, with every controller that used it', async () => {
    const { node, records } = use();
    const { subjectRequestId } = await records.request({ controller_id: GLOBEX });
    await records.request({ subject_request_id: subjectRequestId });
    const upper = subjectRequestId.toUpperCase();
    const found = await node.catalogue.find(upper);
    expect(found.map((it) => [it.controllerId, it.subjectRequestId])).toEqual([
      [ACME, subjectRequestId],
      [GLOBEX, subjectRequestId],
    ]);
    expect(await node.catalogue.find(upper, GLOBEX)).toEqual([found[1]]);
    expect(found[0]).toEqual({
      requestNo: 2,
      controllerId: ACME,
      subjectRequestId,
      status: 'pending',
      regulation: 'gdpr',
      submittedTime: '2026-11-15T11:00:00Z',
      receivedTime: NOON,
      createdBy: 'client:one',
      cancelledTime: null,
      completedTime: null,
      identityCount: 1,
      extendedUntil: null,
    });
    for (const id of ['', 'anything', "'", `${subjectRequestId}0`]) {
      expect(await node.catalogue.find(id)).toEqual([]);
      expect(await node.catalogue.auditOf(ACME, id)).toEqual([]);
    }
  });

  it('finds requests by how their ids begin, in any case', async () => {
    const { node, records } = use();
    const ends = ['4000-8000-000000000000', '4abc-8def-0123456789ab', '4fff-bfff-ffffffffffff'];
    const ids = ends.map((end) => `C0FFEE00-0000-${end.toUpperCase()}`);
    for (const id of ids) await records.request({ subject_request_id: id });
    await records.request({ controller_id: GLOBEX, subject_request_id: String(ids[1]) });
    await records.request({ subject_request_id: 'c0ffee01-0000-4000-8000-000000000000' });
    const find = async (beginning: string, controllerId?: typeof ACME) => {
      const found = await findByBeginning(node.catalogue, beginning, controllerId);
      return found.map((it) => [it.controllerId, it.subjectRequestId.toLowerCase()]);
    };
    const [first, second, third] = ids.map((id) => id.toLowerCase());
    const all = [
      [ACME, first],
      [ACME, second],
      [GLOBEX, second],
      [ACME, third],
    ];
    expect(await find('c0ffee00')).toEqual(all);
    expect(await find('C0FFEE00-0000-4')).toEqual(all);
    expect(await find('c0ffee00', GLOBEX)).toEqual([[GLOBEX, second]]);
    expect(await find('c0ffee00-0000-4a')).toEqual([all[1], all[2]]);
    expect(await find('deadbeef')).toEqual([]);
    for (const wrong of ['', 'c0ffee0', 'c0ffee0g', 'c0ffee00_', "c0ffee00'", 'c0ffee00-0000-5']) {
      await expect(find(wrong)).rejects.toThrow('or its first 8 characters');
    }
  });

  it('asks for more of an id that very many begin with', async () => {
    const { node, records } = use();
    for (let n = 0; n < 201; n++) {
      const end = n.toString().padStart(12, '0');
      await records.request({ subject_request_id: `c0ffee00-0000-4000-8000-${end}` });
    }
    const find = (beginning: string) => findByBeginning(node.catalogue, beginning, undefined);
    await expect(find('c0ffee00')).rejects.toThrow('give more of it');
    expect(await find('c0ffee00-0000-4000-8000-0000000001')).toHaveLength(100);
  });

  it('lists what happened to a request after its creation, sealed or not', async () => {
    const { node, records } = use();
    const request = await records.completed();
    await records.completed();
    expect(await node.forgetting.shred(NOON, 1, NOON + 1)).toBe(1);
    await node.auditHeads.numberRows(100);
    const receipt = { ...request, receiptNo: 1, lastTaskNo: 1, ...receiptTexts('{}') };
    await node.receipts.add([receipt], NOON + 2);
    const rows = await node.catalogue.auditOf(ACME, request.subjectRequestId.toUpperCase());
    expect(rows.map(({ auditNo, action, time }) => [auditNo, action, time])).toEqual([
      [3, 'request.shredded', NOON + 1],
      [4, 'receipt.signed', NOON + 2],
    ]);
    expect(await node.catalogue.auditOf(GLOBEX, request.subjectRequestId)).toEqual([]);
  });
}
