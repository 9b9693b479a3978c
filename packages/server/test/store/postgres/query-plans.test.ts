// With years of requests in the store, nothing that happens all the time reads a table from end to end, or
// more of one than it is about.

import { randomBytes } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import { createRequestArchive } from '../../../src/store/postgres/archive-requests.ts';
import { createAuditHeadStore } from '../../../src/store/postgres/audit-heads.ts';
import { createFulfilmentStore } from '../../../src/store/postgres/fulfilment-store.ts';
import { createNodeRegistry } from '../../../src/store/postgres/nodes.ts';
import { createRequestStore } from '../../../src/store/postgres/request-store.ts';
import { createConditionStore } from '../../../src/store/shared/alarms/alarm-conditions.ts';
import { BY_WEBHOOK, createDeliveryStore } from '../../../src/store/shared/alarms/alarms.ts';
import { createWatchStore } from '../../../src/store/shared/alarms/watched-requests.ts';
import { createForgettingStore } from '../../../src/store/shared/forgetting/forgetting-store.ts';
import { createReceiptStore } from '../../../src/store/shared/receipts/receipts.ts';
import { createRequestCatalogue } from '../../../src/store/shared/requests/catalogue.ts';
import { createTaskCatalogue } from '../../../src/store/shared/tasks/task-catalogue.ts';
import { createTaskOperator } from '../../../src/store/shared/tasks/task-operator.ts';
import { createTenantStore } from '../../../src/store/shared/tenants/tenants.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { createKeysVault } from '../../../src/vault/seal-keys.ts';
import {
  ACME,
  anIntent,
  aRequest,
  aTransaction,
  commandFor,
  erasedOutcome,
  intendedRows,
  planned,
} from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../../helpers/stores/fresh-store-database.ts';
import { testMacs } from '../../helpers/stores/row-macs.ts';
import { receiptTexts } from '../../receipts/facts.ts';
import { type History, idOf, writeHistory } from './history.ts';
import {
  type Explainer,
  openExplainer,
  type Recorder,
  recordStatements,
  type Scan,
} from './recorded-statements.ts';

const HISTORY: History = {
  archived: 30_000,
  completed: 12_000,
  lately: 8000,
  pending: 120,
  inProgress: 60,
};
const FINAL = HISTORY.archived + HISTORY.completed + HISTORY.lately;
/** What is open may be read as a whole by those who look for work; what is done never. */
const MAX_ROWS = 2000;
const DAY = 86_400_000;
const NOW = Date.parse('2026-11-15T12:00:00Z');
const BIG = new Set([
  'requests',
  'archived_requests',
  'tasks',
  'audit_rows',
  'sealed_identities',
  'identity_digests',
  'receipts',
]);

type Port = readonly [by: string, use: () => Promise<unknown>];

describe.skipIf(!(await hasPostgres()))('with years of requests in the store', () => {
  let fresh: FreshStoreDatabase;
  let recorder: Recorder;
  let explainer: Explainer;

  beforeAll(async () => {
    fresh = await freshStoreDatabase();
    await writeHistory(fresh.database, HISTORY, NOW);
    explainer = await openExplainer(fresh.options);
    recorder = recordStatements(fresh.database);
    for (const [by, use] of portsOn(recorder)) await recorder.during(by, use);
  }, 60_000);
  afterAll(async () => {
    await explainer.close();
    await fresh.close();
  });

  it('no statement of the hot paths reads a big table from end to end', {
    timeout: 60_000,
  }, async () => {
    const isStatement = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/;
    const said = new Map(
      recorder.recorded
        .filter(({ text }) => isStatement.test(text))
        .map((one) => [`${one.isPrepared} ${one.text}`, one]),
    );
    expect(said.size).toBeGreaterThan(50);
    const found: string[] = [];
    for (const one of said.values()) {
      const bad = (await explainer.scansOf(one)).filter(isTooMuch);
      found.push(...bad.map((scan) => tell(one.by, scan, one.text)));
    }
    expect(found).toEqual([]);
  });
});

function isTooMuch({ how, table, rows }: Scan): boolean {
  return BIG.has(table) && (how === 'Seq Scan' || rows > MAX_ROWS);
}

function tell(by: string, { how, table, rows }: Scan, text: string): string {
  return `${by}: ${how} of ${rows} rows on ${table}: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 160)}`;
}

/** Used one after the other, as a request goes its way. */
function portsOn({ database }: Recorder): Port[] {
  const ring = createMasterKeyRing([randomBytes(32)]);
  const clock = () => NOW;
  const requests = createRequestStore(database, createIdentityVault(ring).seal, clock);
  const keysVault = createKeysVault(ring);
  const fulfilment = createFulfilmentStore(database, testMacs());
  const tenants = createTenantStore(database, testMacs());
  const auditHeads = createAuditHeadStore(database);
  const receipts = createReceiptStore(database);
  const forgetting = createForgettingStore(database);
  const archive = createRequestArchive(database);
  const watch = createWatchStore(database);
  const delivery = createDeliveryStore(database, BY_WEBHOOK);
  const tasks = createTaskCatalogue(database, testMacs());
  const operator = createTaskOperator(database, testMacs());
  const catalogue = createRequestCatalogue(database);
  const nodes = createNodeRegistry(database);
  const keyOf = (requestNo: number): RequestKey => ({
    controllerId: ACME,
    subjectRequestId: idOf(requestNo) as SubjectRequestId,
  });
  const created = aRequest();
  const open = keyOf(FINAL + HISTORY.inProgress + 1);
  const by = { actor: 'operator:olga', now: NOW };
  const limits = { maxStartsPerDay: 10_000, notFoundPercent: 20, summaryAt: 0 };
  const attention = {
    now: NOW,
    cancellationWindowMs: DAY,
    patientTargets: [],
    maxStartsPerDay: 10_000,
    limit: 50,
  };

  async function workOn(target: string): Promise<void> {
    const leaseRequest = { target, max: 50, worker: 'node', now: NOW, leaseUntil: NOW + 30_000 };
    const batch = await fulfilment.leaseBatch(leaseRequest);
    if (batch === undefined) throw new Error('there is nothing to do');
    await fulfilment.renewLease(batch, NOW + 60_000);
    const intents = batch.tasks.map((task) =>
      anIntent(task.taskNo, keysVault.seal(task, target, intendedRows())),
    );
    await fulfilment.recordTransaction(batch, aTransaction({ intents }), 0, NOW);
    const reservations = batch.tasks.map(({ taskNo }) => ({ taskNo, rows: 1, isReleased: false }));
    await fulfilment.recordTransaction(
      batch,
      aTransaction({ reservations, maxRowsPerDay: 1_000_000 }),
      0,
      NOW,
    );
    await fulfilment.erasedBefore(batch.tasks.map(({ taskNo }) => ({ taskNo, digests: [] })));
    const outcomes = batch.tasks.map(({ taskNo }) => erasedOutcome(taskNo));
    await fulfilment.recordOutcomes(batch, outcomes, [], NOW);
  }

  async function startSome(): Promise<void> {
    const due = await fulfilment.dueRequests(NOW, 20, []);
    const commands = due.map((one) => commandFor(one, [planned('shop')], [randomBytes(32)]));
    await fulfilment.startRequests(commands, NOW, 10_000);
  }

  async function giveReceipts(): Promise<void> {
    const due = await receipts.due(20);
    const facts = await receipts.facts(due);
    await receipts.add(
      facts.map((fact) => ({
        requestNo: fact.requestNo,
        controllerId: fact.controllerId,
        receiptNo: 1,
        subjectRequestId: fact.subjectRequestId,
        ...receiptTexts('{}'),
        lastTaskNo: fact.tasks.at(-1)?.taskNo ?? 0,
      })),
      NOW,
    );
  }

  return [
    ['look a secret up', () => tenants.usableSecrets('cli_nobody')],
    ['look at a token again', () => tenants.mayUse('cli_nobody', 'secret')],
    ['create', () => requests.create(created)],
    ['create what is there', () => requests.create({ ...created, ...open })],
    ['create what is archived', () => requests.create({ ...created, ...keyOf(7) })],
    ['read', () => requests.read(open)],
    ['read what is archived', () => requests.read(keyOf(8))],
    ['read what is not there', () => requests.read(aRequest())],
    ['cancel', () => requests.cancel({ ...created, actor: 'client:one' })],
    ['cancel what is archived', () => requests.cancel({ ...keyOf(9), actor: 'client:one' })],
    ['look for due requests', () => fulfilment.controllersAtDailyLimit(10_000, NOW)],
    ['start', startSome],
    ['look for targets with work', () => fulfilment.targetsWithWork(NOW)],
    ['look at the circuit', () => fulfilment.circuit('shop')],
    ['free lost tasks', () => fulfilment.endAllLeases()],
    ['work on a batch', () => workOn('shop')],
    ['look for audit rows to seal', () => auditHeads.unsealed()],
    ['number audit rows', () => auditHeads.numberRows(100)],
    ['look for the last head', () => auditHeads.newestHead()],
    ['read audit rows', () => auditHeads.rowsAfter(3 * FINAL, 100)],
    ['look for receipts to give', () => receipts.anyDue()],
    ['give receipts', giveReceipts],
    ['read a receipt', () => receipts.given(keyOf(10)).catch(() => [])],
    ['look for what to shred', () => forgetting.anyToShred(NOW - DAY)],
    ['shred', () => forgetting.shred(NOW, 20, NOW)],
    ['look for what to forget', () => forgetting.anyToForget(NOW - 730 * DAY)],
    ['look for audit rows to cut', () => forgetting.anyAuditToCut(NOW - 730 * DAY)],
    ['forget', () => forgetting.forget(NOW - 399 * DAY, 20)],
    ['look for what to archive', () => archive.anyToArchive(NOW - 90 * DAY)],
    ['archive', () => archive.archive(NOW - 50 * DAY, 20)],
    ['look at deadlines', () => watch.hasToLook(NOW)],
    ['take up requests', () => watch.look(NOW, () => ({ reached: [], nextTime: NOW + DAY }))],
    ['look at conditions', () => createConditionStore(database).conditions(limits, NOW)],
    ['look for alarms to deliver', () => delivery.hasToDeliver(NOW)],
    ['list what needs attention', () => tasks.attention(attention)],
    ['list tasks of a request', () => tasks.tasks({ ...open, limit: 50 })],
    ['show a request', () => catalogue.find(idOf(11))],
    ['find by a part of an id', () => catalogue.findWithin({ from: idOf(11), to: idOf(12) }, 201)],
    ['show what happened to a request', () => catalogue.auditOf(ACME, idOf(12))],
    ['ask for a start', () => operator.askStart(keyOf(FINAL + HISTORY.inProgress + 100), by)],
    ['list nodes', () => nodes.nodes(NOW - DAY)],
  ];
}
