import { describe, expect, it } from 'vitest';
import { exportAudit } from '../../src/audit/export-audit.ts';
import { createSignatureVerifier } from '../../src/audit/proof-key.ts';
import { NotAnExport, readExport } from '../../src/audit/read-export.ts';
import { verifyAudit } from '../../src/audit/verify-audit.ts';
import { knownOf, makeAuditWorld } from './audit-world.ts';

async function makeExport(since = 0) {
  const world = await makeAuditWorld();
  for (let n = 0; n < 3; n++) {
    await world.write(2);
    await world.seal();
  }
  await world.write(1);
  const { store, signer, clock } = world;
  const lines = await Array.fromAsync(
    exportAudit(store.auditHeads, signer, since && clock.now, clock.now),
  );
  const verifySignature = createSignatureVerifier([signer.publicKey]);
  const verify = (text: string) =>
    verifyAudit(readExport(text), { verifySignature, known: [], beginsAnywhere: true });
  return { ...world, lines, verify };
}

describe('an export of the audit log', () => {
  it('is verified without the store', async () => {
    const { lines, verify, heads } = await makeExport();
    expect(await verify(lines.join(''))).toMatchObject({
      problems: [],
      heads: 3,
      rows: 6,
      unsealed: 1,
      last: (await heads.heads(2, 1)).map(knownOf)[0],
    });
  });

  it('begins with the head that was made since then, with all rows of it', async () => {
    const { lines, verify } = await makeExport(1);
    expect(lines).toHaveLength(1 + 2 + 1 + 1);
    expect(await verify(lines.join(''))).toMatchObject({
      problems: [],
      heads: 1,
      rows: 2,
      unsealed: 1,
    });
  });

  it('carries the key, to be compared with one that is known', async () => {
    const { lines, signer } = await makeExport();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      type: 'unwrite audit export',
      key_id: signer.keyId,
      public_key: signer.publicKey,
    });
  });

  it.each([
    ['a changed row', 2, (line: string) => line.replace('system', 'eve'), 'row 2 was changed'],
    ['a removed row', 4, () => '', 'row 3 was removed'],
    ['a removed head', 6, () => '', 'head 2 is missing: the next one is 3'],
    [
      'a row before the first',
      1,
      (line: string) => line.replace('"audit_no":1,', '"audit_no":0,') + line,
      'row 0 was inserted: the first is 1',
    ],
  ])('names the place of %s', async (_, index, change, problem) => {
    const { lines, verify } = await makeExport();
    const text = lines.map((line, i) => (i === index ? change(line) : line)).join('');
    expect((await verify(text)).problems[0]).toBe(problem);
  });

  it.each([
    ['an empty file', () => ''],
    ['another JSON', () => '{"type":"row"}\n'],
    ['a line that is no JSON', (lines: string[]) => `${lines.join('')}oops\n`],
    ['a row twice', (lines: string[]) => lines.join('') + lines[1]],
    ['a row without its time', (lines: string[]) => lines.join('').replace('"time"', '"tim"')],
  ])('is refused where it is %s', async (_, textOf) => {
    const { lines } = await makeExport();
    expect(() => readExport(textOf(lines))).toThrow(NotAnExport);
  });
});
