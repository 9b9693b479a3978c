import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSignatureVerifier } from '../../src/audit/proof-key.ts';
import { createAuditProofs, headDocument } from '../../src/audit/prove/audit-proofs.ts';
import { createSealAndTell } from '../../src/audit/seal-chore.ts';
import { createWitnessChore } from '../../src/audit/witness/witness-chore.ts';
import { appendToWitness } from '../../src/audit/witness/witness-file.ts';
import type { WitnessMessage } from '../../src/domain/audit/witness-ports.ts';
import { createWitnessStore } from '../../src/store/shared/audit/witness.ts';
import { databaseOn } from '../../src/store/sqlite/database.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { verifyConsistency, verifyHead } from '../independent/verifier.ts';
import { makeAuditWorld } from './audit-world.ts';

async function makeWitness() {
  const world = await makeAuditWorld();
  const { heads, store, signer, database, clock } = world;
  const verifySignature = createSignatureVerifier([signer.publicKey]);
  const posted: WitnessMessage[] = [];
  const failures: number[] = [];
  const answer = { ok: true };
  const chore = createWitnessChore({
    store: createWitnessStore(withTestMacs(databaseOn(database))),
    proofs: createAuditProofs({ tree: heads, receipts: store.receipts, verifySignature }),
    domain: 'p.example',
    clock: () => clock.now,
    async post(message) {
      posted.push(message);
      return answer.ok ? { ok: true } : { ok: false, reason: 'it answered 500 instead of 2xx' };
    },
    failed: (_, count) => failures.push(count),
  });
  return {
    ...world,
    posted,
    failures,
    answer,
    async tell(): Promise<boolean> {
      const isDue = await chore.isDue(clock.now);
      if (isDue) await chore.run(clock.now);
      await chore.idle();
      return isDue;
    },
  };
}

describe('a witness by webhook', () => {
  it('gets the newest head, with the proof that it continues the one before', async () => {
    const { write, seal, tell, posted, signer } = await makeWitness();
    expect(await tell()).toBe(false);
    await write(3);
    await seal();
    expect(await tell()).toBe(true);
    expect(await tell()).toBe(false);
    for (const rows of [2, 300]) {
      await write(rows);
      await seal();
    }
    await tell();
    expect(posted).toMatchObject([
      { processor_domain: 'p.example', head: { head_no: 1 }, consistency: null },
      { head: { head_no: 3 }, consistency: { from: { head_no: 1 }, to: { head_no: 3 } } },
    ]);
    verifyHead({ ...posted[1]?.head }, signer.publicKey);
    verifyConsistency({ ...posted[1]?.consistency }, signer.publicKey);
  });

  it('is told the newest head where somebody has set the last one that it got ahead of all heads', async () => {
    const { write, seal, tell, posted, database } = await makeWitness();
    await write(3);
    await seal();
    await tell();
    database.exec('UPDATE audit_receivers SET sent_no = 1000000');
    await write(3);
    await seal();
    expect(await tell()).toBe(true);
    expect(await tell()).toBe(false);
    expect(posted).toMatchObject([{ head: { head_no: 1 } }, { head: { head_no: 2 } }]);
  });

  it('is told by one node, unless that has died', async () => {
    const { write, seal, tell, posted, database, clock } = await makeWitness();
    await write(1);
    await seal();
    const other = createWitnessStore(withTestMacs(databaseOn(database)));
    expect(await other.take(clock.now, clock.now + 60_000)).toBe(0);
    expect(await other.take(clock.now, clock.now + 60_000)).toBeUndefined();
    expect(await tell()).toBe(false);
    clock.now += 60_000;
    expect(await tell()).toBe(true);
    expect(posted).toHaveLength(1);
    expect(await other.take(clock.now, clock.now + 60_000)).toBe(1);
  });

  it('a failed delivery is tried again later, less and less often, with the newest head', async () => {
    const { write, seal, tell, posted, answer, failures, clock } = await makeWitness();
    await write(1);
    await seal();
    answer.ok = false;
    await tell();
    expect(await tell()).toBe(false);
    clock.now += 10_000;
    await tell();
    clock.now += 10_000;
    expect(await tell()).toBe(false);
    await write(1);
    await seal();
    answer.ok = true;
    clock.now += 20_000;
    await tell();
    expect(failures).toEqual([1, 2]);
    expect(posted.map(({ head }) => head.head_no)).toEqual([1, 1, 2]);
    expect(await tell()).toBe(false);
  });
});

describe('a witness by file', () => {
  it('has every head on a line, is only appended to, and stops nothing if it cannot be written', async () => {
    const { write, sealAudit, watch, folder, clock, signer } = await makeAuditWorld();
    const warned: object[] = [];
    const report = {
      sealed: () => undefined,
      warn: (fields: object) => void warned.push(fields),
      tampered: async () => undefined,
    };
    const sealWith = (path: string) =>
      createSealAndTell(sealAudit, watch.look, report, (head) =>
        appendToWitness(path, headDocument(head)),
      );
    const path = `${folder}/heads.jsonl`;
    for (let n = 0; n < 2; n++) {
      await write(1);
      await sealWith(path)(clock.now);
    }
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).head_no)).toEqual([1, 2]);
    for (const line of lines) verifyHead(JSON.parse(line), signer.publicKey);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await write(1);
    expect(await sealWith(`${folder}/nothing/heads.jsonl`)(clock.now)).toMatchObject({ headNo: 3 });
    expect(warned).toEqual([{ head_no: 3, reason: 'ENOENT' }]);
  });
});
