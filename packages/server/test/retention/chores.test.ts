// What is forgotten by itself, on a virtual clock.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCutAudit } from '../../src/audit/cut-audit.ts';
import { createSignatureVerifier, loadProofSigner } from '../../src/audit/proof-key.ts';
import { createSealAudit } from '../../src/audit/seal-audit.ts';
import { verifyAudit } from '../../src/audit/verify-audit.ts';
import { createClockGuard } from '../../src/retention/clock-guard.ts';
import { createForgetChore } from '../../src/retention/forget-chore.ts';
import { createShredChore } from '../../src/retention/shred-chore.ts';
import { createForgettingStore } from '../../src/store/shared/forgetting/forgetting-store.ts';
import { createAuditHeadStore } from '../../src/store/sqlite/audit-heads.ts';
import { databaseOn } from '../../src/store/sqlite/database.ts';
import { openDatabase } from '../../src/store/sqlite/open-database.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeStoreFolder } from '../helpers/stores/store-folder.ts';
import type { TemporaryFolder } from '../helpers/temporary-folder.ts';

const DAY = 86_400_000;
let folder: TemporaryFolder;
let store: SqliteStore;
let database: ReturnType<typeof openDatabase>;
let cuts: number;

beforeEach(async () => {
  folder = await makeStoreFolder();
  store = withTestMacs(openSqliteStore(folder.path, () => 0));
  database = openDatabase(store.databasePath, 'write');
  database.exec(`
    PRAGMA synchronous = OFF;
    INSERT INTO controllers (controller_id, created_time) VALUES ('acme', 0);
    INSERT INTO master_keys (master_key_id, created_time) VALUES ('k', 0);
  `);
  cuts = 0;
});
afterEach(async () => {
  database.close();
  await store.close();
  folder.remove();
});

const shredded = () => {
  cuts++;
};

/** So many completed requests, each a minute after the other, with sealed identities. */
function complete(count: number, from: number): void {
  const insert = database.prepare(`
    INSERT INTO requests (controller_id, subject_request_id, status, regulation, submitted_time,
      received_time, created_by, identity_count, completed_time)
    VALUES ('acme', ?, 'completed', 'gdpr', '', 0, 'c', 1, ?)
  `);
  const insertSealed = database.prepare(
    "INSERT INTO sealed_identities VALUES (?, 'k', x'00', x'00')",
  );
  database.exec('BEGIN');
  for (let n = 0; n < count; n++) {
    const { lastInsertRowid } = insert.run(randomBytes(8).toString('hex'), from + n * 60_000);
    insertSealed.run(lastInsertRowid);
  }
  database.exec('COMMIT');
}

const count = (what: string) =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${what}`).get()?.n);

describe('shredding', () => {
  it.each([
    ['waits', 35 * DAY, 10],
    ['does not wait without a retention', 0, 0],
  ])('%s while the clock cannot be trusted', async (_, retentionMs, left) => {
    complete(10, 0);
    const forgetting = createForgettingStore(withTestMacs(databaseOn(database)));
    await createShredChore(forgetting, retentionMs, shredded, async () => false).run(60 * DAY);
    expect(count('sealed_identities')).toBe(left);
  });

  it('shreds everything that is due, however much, and is not due otherwise', async () => {
    const chore = createShredChore(
      createForgettingStore(withTestMacs(databaseOn(database))),
      35 * DAY,
      shredded,
    );
    expect(await chore.isDue(100 * DAY)).toBe(false);
    complete(700, 0);
    complete(1, 10 * DAY);
    expect(await chore.isDue(35 * DAY - 1)).toBe(false);
    expect(await chore.isDue(35 * DAY)).toBe(true);
    await chore.run(36 * DAY);
    expect(count('sealed_identities')).toBe(1);
    expect(count("audit_rows WHERE action = 'request.shredded'")).toBe(700);
    expect(cuts).toBeGreaterThan(0);
    expect(await chore.isDue(36 * DAY)).toBe(false);
    expect(await chore.isDue(45 * DAY)).toBe(true);
  });

  it('is due at once with a retention of 0', async () => {
    const chore = createShredChore(
      createForgettingStore(withTestMacs(databaseOn(database))),
      0,
      shredded,
    );
    complete(1, 5);
    expect([await chore.isDue(4), await chore.isDue(5)]).toEqual([false, true]);
    await chore.run(5);
    expect(count('sealed_identities')).toBe(0);
  });
});

describe('forgetting old records', () => {
  const RECORDS = 730 * DAY;

  async function openProof() {
    const ring = createMasterKeyRing([randomBytes(32)]);
    const signer = await loadProofSigner(store, createSecretSealer(ring), 0);
    const heads = createAuditHeadStore(database);
    return {
      seal: createSealAudit(heads, signer),
      cut: createCutAudit({
        store: heads,
        signer,
        retentionMs: RECORDS,
        verifySignature: createSignatureVerifier([signer.publicKey]),
      }),
      verify: () =>
        verifyAudit(heads, {
          verifySignature: createSignatureVerifier([signer.publicKey]),
          known: [],
        }),
    };
  }

  it('deletes requests and audit rows of that age, and the chain of the log still holds', async () => {
    const { seal, verify, cut } = await openProof();
    const forgetting = createForgettingStore(withTestMacs(databaseOn(database)));
    const shred = createShredChore(forgetting, 0, shredded);
    const forget = createForgetChore(forgetting, cut, RECORDS, shredded);
    for (const day of [1, 2, 600]) {
      complete(10, day * DAY);
      await shred.run((day + 1) * DAY);
      await seal((day + 1) * DAY);
    }
    expect(await verify()).toMatchObject({ problems: [], rows: 30 });
    const now = RECORDS + 100 * DAY;
    expect(await forget.isDue(now)).toBe(true);
    cuts = 0;
    await forget.run(now);

    expect(cuts).toBe(1);
    expect(count('requests')).toBe(10);
    expect(await verify()).toMatchObject({ problems: [], rows: 10 });
    expect(count("audit_rows WHERE action = 'request.shredded'")).toBe(10);
    expect(count("audit_rows WHERE action = 'records.forgotten'")).toBe(1);
    expect(await forget.isDue(now)).toBe(false);
    await seal(now);
    expect(await verify()).toMatchObject({ problems: [], heads: 4, rows: 11, unsealed: 0 });
  });

  it('leaves nothing behind that belongs to a request', async () => {
    complete(2, 0);
    database.exec(`
      INSERT INTO plans VALUES ('p', '[]', 0), ('newer', '[]', ${2 * RECORDS});
      UPDATE requests SET plan_id = 'p' WHERE request_no = 1;
      INSERT INTO tasks (task_no, request_no, target, run, connector, phase, state, changed_time)
        VALUES (1, 1, 'shop', 1, 'sqlite', 'erase', 'erased', 0);
      INSERT INTO intents (task_no, counts, retained, first_time, master_key_id, wrapped_key, sealed)
        VALUES (1, '{}', '{}', 0, 'k', x'00', x'00');
      INSERT INTO added_identities VALUES (1, 1, 'shop', 'k', x'00', x'00');
      INSERT INTO identity_digests VALUES (x'01', 1);
      INSERT INTO receipts (request_no, receipt_no, last_task_no, created_time, document,
          full_document)
        VALUES (1, 1, 1, 0, '{}', '{}');
      INSERT INTO alarms (kind, subject, percent, request_no, message, raised_time)
        VALUES ('deadline', 'one', 80, 1, '', 0), ('not_found', 'old', 0, NULL, '', 0),
               ('not_found', 'new', 0, NULL, '', ${2 * RECORDS});
      INSERT INTO watched_requests (request_no, next_time) VALUES (1, 0);
      INSERT INTO daily_counts VALUES (-1, 'rows', 'shop', 9), (1, 'rows', 'shop', 9);
    `);
    const { cut } = await openProof();
    const forgetting = createForgettingStore(withTestMacs(databaseOn(database)));
    await createForgetChore(forgetting, cut, RECORDS, shredded).run(RECORDS + DAY);
    const left = [
      'requests',
      'plans',
      'tasks',
      'intents',
      'added_identities',
      'identity_digests',
      'receipts',
      'alarms',
      'watched_requests',
      'daily_counts',
      'sealed_identities',
    ].map((table) => [table, count(table)]);
    expect(Object.fromEntries(left)).toEqual({
      requests: 1,
      plans: 1,
      tasks: 0,
      intents: 0,
      added_identities: 0,
      identity_digests: 0,
      receipts: 0,
      alarms: 1,
      watched_requests: 0,
      daily_counts: 2,
      sealed_identities: 1,
    });
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  });

  it('keeps the rows of the newest head, however old, so that numbering continues', async () => {
    const { seal, verify, cut } = await openProof();
    const forgetting = createForgettingStore(withTestMacs(databaseOn(database)));
    complete(1, 0);
    await createShredChore(forgetting, 0, shredded).run(DAY);
    await seal(DAY);
    const forget = createForgetChore(forgetting, cut, RECORDS, shredded);
    expect(await forget.isDue(10 * RECORDS)).toBe(false);
    expect(await verify()).toMatchObject({ problems: [], rows: 1 });
  });

  it('waits for a day if the clock jumped ahead implausibly, and raises an alarm', async () => {
    const { seal, cut } = await openProof();
    const forgetting = createForgettingStore(withTestMacs(databaseOn(database)));
    const told: number[] = [];
    const up = { seconds: 5 };
    const guard = createClockGuard(
      forgetting,
      () => up.seconds,
      async (jump) => {
        told.push(jump);
      },
    );
    const forget = createForgetChore(forgetting, cut, RECORDS, shredded, guard);
    const shred = createShredChore(forgetting, 0, shredded);
    for (const people of [10, 1]) {
      complete(people, DAY);
      await shred.run(DAY);
      await seal(DAY);
    }
    const ahead = DAY + RECORDS + 70 * DAY;
    await forget.run(ahead);
    complete(1, ahead);
    await shred.run(ahead);
    await seal(ahead + 5000);
    await forget.run(ahead + 12_000);
    expect([count('requests'), told.length]).toEqual([12, 2]);
    // The clock is still there a day later: the machine was off.
    up.seconds += 90_000;
    await forget.run(ahead + 90_000_000);
    expect([count('requests'), told.length]).toEqual([1, 2]);
  });
});
