import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FullReceipt } from '../../src/domain/receipt/documents.ts';
import type { GivenReceipt } from '../../src/domain/receipt/receipt.ts';
import type { RequestKey } from '../../src/domain/request/request.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { hashDocument } from '../../src/receipts/canonical.ts';
import { createIssueReceipts } from '../../src/receipts/issue-receipts.ts';
import { createReceiptChore } from '../../src/receipts/receipt-chore.ts';
import { createReceiptStore } from '../../src/store/shared/receipts/receipts.ts';
import { databaseOn } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeStoreFolder } from '../helpers/stores/store-folder.ts';
import { evidence, makeSigner, NOON, receiptTexts, TRUSTING } from './facts.ts';

const ACME = 'acme' as ControllerId;

async function makeWorld() {
  const folder = await makeStoreFolder();
  const opened = withTestMacs(openSqliteStore(folder.path, () => NOON));
  const controller = { controllerId: ACME, name: null, ssoOrganisation: null, createdTime: NOON };
  await opened.tenantWriter.addController(controller, 'system');
  const database = new DatabaseSync(opened.databasePath);
  onTestFinished(async () => {
    database.close();
    await opened.close();
    folder.remove();
  });
  const store = createReceiptStore(withTestMacs(databaseOn(database)));
  const issue = createIssueReceipts({
    store,
    signer: makeSigner(),
    domain: 'p.example',
    ...TRUSTING,
  });
  const sealed: number[] = [];
  return {
    opened,
    store,
    issue,
    sealed,
    chore: createReceiptChore(store.anyDue, issue, async (now) => void sealed.push(now)),
    /** Completed, unless said otherwise, with a task that is done. */
    addRequest(status = 'completed'): RequestKey & { requestNo: number } {
      const subjectRequestId = randomUUID() as RequestKey['subjectRequestId'];
      const { lastInsertRowid } = database
        .prepare(`
          INSERT INTO requests (controller_id, subject_request_id, status, regulation,
            submitted_time, received_time, created_by, identity_count, completed_time)
          VALUES ('acme', ?, ?, 'gdpr', '2026-11-14T02:00:00Z', ${NOON}, 'client:a', 1, ${NOON})
        `)
        .run(subjectRequestId, status);
      const requestNo = Number(lastInsertRowid);
      this.addTask(requestNo, 1, 'erased');
      return { controllerId: ACME, subjectRequestId, requestNo };
    },
    addTask(requestNo: number, run: number, state: string): void {
      const text = state === 'erased' ? JSON.stringify(evidence()) : null;
      database
        .prepare(`
          INSERT INTO tasks (request_no, target, run, connector, phase, state, changed_time, evidence)
          VALUES (?, 'shop', ?, 'postgres', 'erase', ?, ${NOON}, ?)
        `)
        .run(requestNo, run, state, text);
    },
    /** As the transaction that ends the last task of a later run does. */
    endRun(requestNo: number): void {
      database
        .prepare("UPDATE tasks SET state = 'erased', evidence = ? WHERE request_no = ?")
        .run(JSON.stringify(evidence()), requestNo);
      database
        .prepare('UPDATE requests SET receipted_time = NULL WHERE request_no = ?')
        .run(requestNo);
    },
  };
}

const read = (receipt: GivenReceipt | undefined): FullReceipt =>
  JSON.parse(receipt?.fullDocument ?? 'null');

describe('receipts', () => {
  it('are due only for completed requests, and made once', async () => {
    const world = await makeWorld();
    const open = ['pending', 'in_progress', 'cancelled'].map((status) => world.addRequest(status));
    expect(await world.chore.isDue(NOON)).toBe(false);
    const completed = world.addRequest();
    expect(await world.chore.isDue(NOON)).toBe(true);
    await world.chore.run(NOON);
    expect(await world.chore.isDue(NOON + 1e12)).toBe(false);
    expect(await world.store.given(completed)).toHaveLength(1);
    for (const request of open) {
      expect(await world.issue.receiptsOf(request, NOON)).toEqual([]);
    }
  });

  it('are made for all that are due, after the audit log was sealed', async () => {
    const world = await makeWorld();
    const requests = Array.from({ length: 230 }, () => world.addRequest());
    await world.chore.run(NOON);
    const documents = await Promise.all(requests.map((it) => world.store.given(it)));
    expect(documents.filter(({ length }) => length !== 1)).toEqual([]);
    expect(world.sealed).toEqual([NOON]);
  });

  it('are made early on demand, and then do not change', async () => {
    const world = await makeWorld();
    const request = world.addRequest();
    const asked = await world.issue.receiptsOf(request, NOON);
    await world.chore.run(NOON + 5000);
    expect(await world.issue.receiptsOf(request, NOON + 9000)).toEqual(asked);
    expect(read(asked[0]).signed_time).toBe('2026-11-15T12:00:00.000Z');
  });

  it('stay as they were made first', async () => {
    const world = await makeWorld();
    const { requestNo, ...request } = world.addRequest();
    const receipt = { requestNo, ...request, receiptNo: 1, lastTaskNo: 1 };
    const of = receiptTexts;
    await world.store.add([{ ...receipt, ...of('first') }], NOON);
    await world.store.add([{ ...receipt, ...of('second') }], NOON);
    expect(await world.store.given(request)).toMatchObject([
      { document: 'first', fullDocument: 'full first' },
    ]);
    expect(await world.opened.auditLog.list({ action: 'receipt.signed', limit: 9 })).toHaveLength(
      1,
    );
  });

  it('are in the audit log with their hash', async () => {
    const world = await makeWorld();
    const request = world.addRequest();
    const [receipt] = await world.issue.receiptsOf(request, NOON);
    const [row] = await world.opened.auditLog.list({ action: 'receipt.signed', limit: 9 });
    expect(row).toMatchObject({ actor: 'system', subjectRequestId: request.subjectRequestId });
    expect(JSON.parse(row?.detail ?? '')).toEqual({
      receipt_no: 1,
      sha256: hashDocument(receipt?.document ?? ''),
      full_sha256: hashDocument(receipt?.fullDocument ?? ''),
    });
  });
});

describe('a later run of a completed request', () => {
  it('gets an addendum with its own tasks, which names the receipt before it', async () => {
    const world = await makeWorld();
    const request = world.addRequest();
    await world.chore.run(NOON);
    world.addTask(request.requestNo, 2, 'waiting');
    expect(await world.chore.isDue(NOON)).toBe(false);
    world.endRun(request.requestNo);
    await world.chore.run(NOON);
    const [first, second] = await world.store.given(request);
    expect(read(first).tasks).toMatchObject([{ run: 1 }]);
    expect(read(second)).toMatchObject({
      receipt_no: 2,
      previous_receipt: { receipt_no: 1, sha256: hashDocument(first?.fullDocument ?? '') },
      tasks: [{ run: 2 }],
    });
    expect(await world.chore.isDue(NOON)).toBe(false);
  });

  it('is stated by the addendum, even if it begins before the receipt was made', async () => {
    const world = await makeWorld();
    const request = world.addRequest();
    world.addTask(request.requestNo, 2, 'held');
    world.addTask(request.requestNo, 3, 'erased');
    await world.chore.run(NOON);
    expect(await world.chore.isDue(NOON)).toBe(false);
    expect((await world.store.given(request)).map((text) => read(text).tasks)).toMatchObject([
      [{ run: 1 }],
    ]);
    world.endRun(request.requestNo);
    await world.chore.run(NOON);
    expect(read((await world.store.given(request))[1]).tasks).toMatchObject([
      { run: 2 },
      { run: 3 },
    ]);
  });
});

describe('receipts of thousands', () => {
  it('are signed in several runs, so that other chores can run in between', async () => {
    let calls = 0;
    const issueSome = async () => {
      calls++;
      return true;
    };
    const nothing = async () => undefined;
    await createReceiptChore(async () => true, { issueSome }, nothing).run(0);
    expect(calls).toBe(20);
  });
});
