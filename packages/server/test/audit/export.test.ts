import { describe, expect, it } from 'vitest';
import { exportAudit } from '../../src/audit/export/export-audit.ts';
import { NotAnExport } from '../../src/audit/export/fields.ts';
import { readExport } from '../../src/audit/export/read-export.ts';
import { createSignatureVerifier } from '../../src/audit/proof-key.ts';
import { verifyAudit } from '../../src/audit/verify-audit.ts';
import { knownOf, makeAuditWorld } from './audit-world.ts';

type World = Awaited<ReturnType<typeof makeAuditWorld>>;

/** Lines: the header, then twice rows 2n-1 and 2n and head n, then row 7 and the footer. */
async function makeLog(): Promise<World> {
  const world = await makeAuditWorld();
  for (let n = 0; n < 3; n++) {
    await world.write(2);
    await world.seal();
  }
  await world.write(1);
  return world;
}

async function exported({ store, signer, clock }: World, since = 0): Promise<string[]> {
  return Array.fromAsync(exportAudit(store.auditHeads, signer, since, clock.now));
}

async function verify({ signer }: World, text: string) {
  const verifySignature = createSignatureVerifier([signer.publicKey]);
  const { chain, checkFooter } = readExport(text);
  const verdict = await verifyAudit(chain, { verifySignature, known: [] });
  return { ...verdict, problems: [...verdict.problems, ...checkFooter(verifySignature)] };
}

async function makeExport() {
  const world = await makeLog();
  const lines = await exported(world);
  return { world, lines, verify: (text: string) => verify(world, text) };
}

describe('an export of the audit log', () => {
  it('is verified without the store', async () => {
    const { world, lines, verify } = await makeExport();
    expect(await verify(lines.join(''))).toMatchObject({
      problems: [],
      heads: 3,
      rows: 6,
      unsealed: 1,
      last: (await world.heads.heads(2, 1)).map(knownOf)[0],
    });
  });

  it('is read only as UTF-8, so that no other bytes pass for it', () => {
    const text = Buffer.from('{"type":"row","actor":"operator:J\uFFFDn"}\n');
    const at = text.indexOf(Buffer.from('\uFFFD'));
    const changed = Buffer.concat([text.subarray(0, at), Buffer.of(0xff), text.subarray(at + 3)]);
    expect(changed.toString()).toBe(text.toString());
    expect(() => readExport(changed)).toThrow('it is not UTF-8');
  });

  it('a partial export begins after the previous head, which it contains without its rows', async () => {
    const world = await makeLog();
    const lines = await exported(world, world.clock.now);
    expect(lines).toHaveLength(1 + 1 + 2 + 1 + 1 + 1);
    expect(await verify(world, lines.join(''))).toMatchObject({
      problems: [],
      heads: 2,
      rows: 2,
      unsealed: 1,
      cut: { heads: 0 },
    });
    const withoutBase = lines.filter((_, i) => i !== 1).join('');
    expect((await verify(world, withoutBase)).problems[0]).toBe(
      'head 1 is missing: the next one is 3',
    );
  });

  it('the export of a log whose old rows were cut contains the record of the cut', async () => {
    const world = await makeLog();
    await world.cut();
    const lines = await exported(world);
    expect(await verify(world, lines.join(''))).toMatchObject({
      problems: [],
      heads: 3,
      rows: 2,
      cut: { heads: 2, lastAuditNo: 4 },
    });
    const withoutRecord = lines.filter((_, i) => i !== 1).join('');
    expect((await verify(world, withoutRecord)).problems[0]).toMatch(
      /^the rows of head 1 \(1 to 2\) were removed, and no signed record/,
    );
  });

  it('carries the key, to be compared with one that is known', async () => {
    const { lines, world } = await makeExport();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      type: 'unwrite audit export',
      version: 1,
      begins_after: 0,
      key_id: world.signer.keyId,
      public_key: world.signer.publicKey,
    });
  });

  it.each<[string, number, (line: string) => string, string]>([
    ['a changed row', 2, (line) => line.replace('system', 'eve'), 'row 2 was changed'],
    ['a removed row', 4, () => '', 'row 3 was removed'],
    ['a removed head', 6, () => '', 'head 2 is missing: the next one is 3'],
    [
      'a row before the first',
      1,
      (line) => line.replace('"audit_no":1,', '"audit_no":0,') + line,
      'row 0 was inserted: the first is 1',
    ],
    [
      'a changed salt',
      5,
      (line) => line.replace(/"salt":"..../, '"salt":"0000'),
      'row 4 was changed',
    ],
  ])('names the place of %s', async (_, index, change, problem) => {
    const { lines, verify } = await makeExport();
    const text = lines.map((line, i) => (i === index ? change(line) : line)).join('');
    const { problems } = await verify(text);
    expect(problems[0]).toBe(problem);
    expect(problems.at(-1)).toMatch(/since its footer was signed/);
  });
});

const inFooter = (lines: readonly string[], from: string, to: string) =>
  lines.slice(0, -1).join('') + (lines.at(-1) ?? '').replace(from, to);
const upper = (line = '') =>
  line.replace(/"signature":"([^"]*)"/, (it, hex: string) => it.replace(hex, hex.toUpperCase()));

describe('an export that is not whole', () => {
  const FOOTER = /footer/;

  it.each<[string, (lines: string[]) => string, RegExp]>([
    ['its end cut off', (lines) => lines.slice(0, -1).join(''), FOOTER],
    ['its end cut off after a head', (lines) => lines.slice(0, 7).join(''), FOOTER],
    ['its last row gone', (lines) => lines.filter((_, i) => i !== 10).join(''), FOOTER],
    ['a blank in its footer', (lines) => inFooter(lines, '{"type"', '{ "type"'), FOOTER],
    [
      'another member in its footer',
      (lines) => inFooter(lines, '"lines"', '"a":1,"lines"'),
      FOOTER,
    ],
    [
      'a member twice in its footer',
      (lines) => inFooter(lines, '"lines"', '"lines":1,"lines"'),
      FOOTER,
    ],
    [
      'its footer in upper case',
      (lines) => lines.slice(0, -1).join('') + upper(lines.at(-1)),
      FOOTER,
    ],
    [
      'all rows and heads removed',
      (lines) => `${lines[0]}${lines.at(-1)}`,
      /there is no head: nothing in it is proven/,
    ],
    [
      'all rows removed',
      (lines) => lines.filter((line) => !line.startsWith('{"type":"row"')).join(''),
      /the rows of head 1 \(1 to 2\) were removed, and no signed record/,
    ],
    [
      'rows removed with their leaves',
      (lines) =>
        lines
          .filter((line) => !line.startsWith('{"type":"row"'))
          .map((line) => line.replace(/"leaves":"[^"]*"/, '"leaves":null'))
          .join(''),
      /the rows of head 1 \(1 to 2\) were removed, and no signed record/,
    ],
    [
      'the footer of another',
      (lines) =>
        [...lines.slice(0, -1), lines.at(-1)?.replace(/"lines":\d+/, '"lines":1')].join(''),
      /the signature of its footer was not made with the given key/,
    ],
  ])('does not verify: %s', async (_, change, problem) => {
    const { lines, verify } = await makeExport();
    expect((await verify(change(lines))).problems.join('\n')).toMatch(problem);
  });

  it.each<[string, (lines: string[]) => string]>([
    ['an empty file', () => ''],
    ['another JSON', () => '{"type":"row"}\n'],
    ['a line that is no JSON', (lines) => `${lines.join('')}oops\n`],
    ['a line without its end', (lines) => lines.join('').trimEnd()],
    ['a row twice', (lines) => lines.toSpliced(1, 0, lines[1] ?? '').join('')],
    ['a row after the footer', (lines) => lines.join('') + lines[1]],
    ['a second header', (lines) => (lines[0] ?? '') + lines.join('')],
    [
      'rows in another order',
      (lines) => lines.toSpliced(1, 2, lines[2] ?? '', lines[1] ?? '').join(''),
    ],
    ['a row without its time', (lines) => lines.join('').replace('"time"', '"tim"')],
    [
      'an added member',
      (lines) => lines.join('').replace('"request_no"', '"note":"x","request_no"'),
    ],
    ['a member twice', (lines) => lines.join('').replace('"actor":', '"actor":"eve","actor":')],
    [
      'a member in another place',
      (lines) => lines.join('').replace(/("type":"row"),("audit_no":\d+)/, '$2,$1'),
    ],
    [
      'white space in a line',
      (lines) => lines.join('').replace('{"type":"head"', '{ "type":"head"'),
    ],
    [
      'an escape that is not needed',
      (lines) => lines.join('').replace('"system"', '"\\u0073ystem"'),
    ],
    ['an unknown version', (lines) => lines.join('').replace('"version":1', '"version":2')],
  ])('is refused if it has %s', async (_, textOf) => {
    const { lines } = await makeExport();
    expect(() => readExport(textOf(lines))).toThrow(NotAnExport);
  });
});
