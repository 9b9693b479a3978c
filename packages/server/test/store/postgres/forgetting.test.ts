import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCutAudit } from '../../../src/audit/cut-audit.ts';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import { verifyAudit } from '../../../src/audit/verify-audit.ts';
import { createAuditHeadStore } from '../../../src/store/postgres/audit-heads.ts';
import { createMasterKeyStore } from '../../../src/store/shared/keys/master-keys.ts';
import { createVaultKeyStore } from '../../../src/store/shared/keys/vault-keys.ts';
import { createReceiptStore } from '../../../src/store/shared/receipts/receipts.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { BY, DAY, erasedOutcome, planned } from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { makeSigner, receiptTexts, verifierOf } from '../../receipts/facts.ts';
import { usePostgres } from './use-postgres.ts';

describe.skipIf(!(await hasPostgres()))('forgetting at several nodes', () => {
  const use = usePostgres();

  async function completed(count: number): Promise<void> {
    const { scene } = use();
    await scene.startedMany(count, [planned('crm')]);
    await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
  }

  /** Two nodes, each on and on until there is nothing left; answers how many each did. */
  async function bySome(work: () => Promise<number>): Promise<number[]> {
    return Promise.all(
      Array.from({ length: 3 }, async () => {
        let total = 0;
        for (let count = await work(); count > 0; count = await work()) total += count;
        return total;
      }),
    );
  }
  const sum = (counts: number[]) => counts.reduce((all, one) => all + one, 0);

  it('shreds each request once', async () => {
    const { under, clock, count } = use();
    await completed(90);
    const counts = await bySome(() => under.forgetting.shred(clock.now, 7, clock.now));
    expect(sum(counts)).toBe(90);
    expect(await count('@sealed_identities')).toBe(0);
    expect(await count(`@new_audit_rows WHERE action = 'request.shredded'`)).toBe(90);
  });

  it('does not forget a request that an operator asks to erase again at the same time', async () => {
    const { under, clock, count } = use();
    await completed(2);
    await under.database.transaction(async (sql) => {
      await sql.run('SELECT 1 FROM @requests WHERE request_no = 1 FOR UPDATE');
      expect(await under.forgetting.shred(clock.now, 10, clock.now)).toBe(1);
      expect(await under.forgetting.forget(clock.now + DAY, 10)).toBe(0);
      await sql.run('UPDATE @requests SET again_asked_time = $1 WHERE request_no = 1', [clock.now]);
    });
    expect(await under.forgetting.anyToShred(clock.now)).toBe(false);
    expect(await count('@sealed_identities')).toBe(1);
  });

  it('forgets each request once, and leaves nothing of it', async () => {
    const { under, scene, clock, count } = use();
    await completed(60);
    await scene.create();
    const counts = await bySome(() => under.forgetting.forget(clock.now, 7));
    expect(sum(counts)).toBe(60);
    expect(await count('@tasks')).toBe(0);
    expect(await count('@sealed_identities')).toBe(1);
    expect(await count('@all_requests')).toBe(1);
  });

  it('leaves nothing that belongs to a request, in any table', async () => {
    const { under, scene, clock, count } = use();
    const request = await scene.create();
    await scene.start(request, [planned('crm')], [Buffer.from('digest')]);
    await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    const receipt = {
      ...request,
      requestNo: 1,
      receiptNo: 1,
      lastTaskNo: 1,
      ...receiptTexts('{}'),
    };
    await createReceiptStore(under.database).add([receipt], clock.now);
    await under.database.run('INSERT INTO @watched_requests (request_no, next_time) VALUES (1, 0)');
    await scene.create();
    const tables = await under.database.all<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = $1 AND column_name = 'request_no' AND table_type = 'BASE TABLE'`,
      [under.database.schema],
    );
    const holding = async () => {
      const names: string[] = [];
      for (const { name } of tables) {
        if ((await count(`@${name} WHERE request_no = 1`)) > 0) names.push(name);
      }
      return names.filter((name) => !name.includes('audit')).toSorted();
    };
    expect(await holding()).toEqual([
      'identity_digests',
      'receipts',
      'requests',
      'sealed_identities',
      'tasks',
      'watched_requests',
    ]);
    expect(await under.forgetting.forget(clock.now, 7)).toBe(1);
    expect(await holding()).toEqual([]);
  });

  it('cuts the audit log from its beginning, one head after the other', async () => {
    const { under, clock, count } = use();
    const { database } = under;
    const heads = createAuditHeadStore(database);
    const signer = makeSigner();
    const seal = createSealAudit(heads, signer);
    for (let n = 0; n < 12; n++) {
      await under.forgetting.recordForgotten({ requests: n, rows: 0 }, clock.now);
      await seal(clock.now);
    }
    const rows = await count('@audit_rows');
    const expected = { verifySignature: verifierOf(signer), known: [] };
    const cutSome = createCutAudit({ store: heads, signer, retentionMs: 0, ...expected });
    const cutRows = async () => (await cutSome(clock.now)).rows;
    const cuts = Array.from({ length: 30 }, cutRows);
    const cut = sum(await Promise.all(cuts));
    expect(cut).toBeGreaterThan(0);
    expect((await verifyAudit(heads, expected)).problems).toEqual([]);
    const rest = sum(await bySome(cutRows));
    expect(cut + rest).toBe(rows - 1);
    expect(await verifyAudit(heads, expected)).toMatchObject({
      problems: [],
      rows: 1,
      cut: { heads: 11 },
    });
  });

  it('does not block moving to another master key, nor the other way round', async () => {
    const { under, clock, count } = use();
    const { database } = under;
    await completed(80);
    const { id } = (await database.get<{ id: string }>(
      'SELECT master_key_id AS id FROM @master_keys',
    )) ?? { id: '' };
    const next = createMasterKeyRing([randomBytes(32)]).current.id;
    await createVaultKeyStore(database).addMasterKeys(next, [], clock.now);
    const store = createMasterKeyStore(database);
    // Whether what is moved opens is asked elsewhere.
    const move = async (wrappedKey: Buffer) => {
      for (let after: number | undefined = 0; after !== undefined; ) {
        const moved = { masterKeyId: next, wrappedKey };
        after = await store.rewrap('sealed_identities', after, 9, next, () => moved);
      }
    };
    const byTwo = () => [move(Buffer.from('one')), move(Buffer.from('two'))];
    await Promise.all([...byTwo(), bySome(() => under.forgetting.shred(clock.now, 5, clock.now))]);
    expect(await count('@sealed_identities')).toBe(0);
    expect(await store.sealedUnder(id)).toEqual({
      requests: 0,
      things: 0,
      list: [],
      capped: false,
    });

    await completed(50);
    await Promise.all(byTwo());
    expect(await count(`@sealed_identities WHERE master_key_id = $1`, [next])).toBe(50);
    expect(await count(`@sealed_identities WHERE wrapped_key IN ('one', 'two')`)).toBe(50);
  });

  it('deletes no plan that a request is about to be started with', async () => {
    const { under, scene, clock, count, whileOpen } = use();
    await completed(1);
    await scene.create();
    await under.forgetting.forget(clock.now, 10);
    expect(await count('@plans')).toBe(1);
    const until = clock.now;
    clock.now += DAY;
    await whileOpen(
      (sql) => sql.run('UPDATE @plans SET created_time = $1', [clock.now]),
      () => under.forgetting.sweep(until),
    );
    expect(await count('@plans')).toBe(1);
    await under.forgetting.sweep(clock.now);
    expect(await count('@plans')).toBe(0);
  });
});

describe.skipIf(!(await hasPostgres()))('receipts at several nodes', () => {
  const use = usePostgres();

  it('stay due if a later run ends while they are recorded', async () => {
    const { under, scene, clock, whileOpen } = use();
    const receipts = createReceiptStore(under.database);
    const request = await scene.started([planned('crm')]);
    await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    const query = { target: 'shop', since: 0, until: clock.now + 1, controllers: null };
    await under.forgettingOperator.eraseAgain(query, planned('shop'), BY);
    const requestNo = await receipts.dueOf(request);
    if (requestNo === undefined) throw new Error('no receipt is due');
    const [facts] = await receipts.facts([requestNo]);
    expect(facts?.tasks.map(({ taskNo }) => taskNo)).toEqual([1]);
    const texts = receiptTexts('{}', '{"tasks":[{"task":1}]}');
    const receipt = { receiptNo: 1, lastTaskNo: 1, ...texts };
    // Its end comes first, and is not seen by a statement that began before its commit.
    await whileOpen(
      async (sql) => {
        await sql.run('SELECT 1 FROM @requests WHERE request_no = $1 FOR UPDATE', [requestNo]);
        await sql.run(`UPDATE @tasks SET state = 'erased', evidence = '{}' WHERE task_no = 2`);
      },
      () => receipts.add([{ requestNo, ...request, ...receipt }], clock.now),
    );
    expect(await receipts.due(10)).toEqual([requestNo]);
    expect(await receipts.given(request)).toMatchObject([{ document: '{}' }]);
    const [after] = await receipts.facts([requestNo]);
    expect(after?.tasks.map(({ taskNo }) => taskNo)).toEqual([2]);
    expect(after?.previous).toMatchObject({ receiptNo: 1, document: '{}' });
  });
});
