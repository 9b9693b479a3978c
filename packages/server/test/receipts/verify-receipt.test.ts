import { createHash, createPublicKey, verify as verifyBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyReceipt } from '../../src/receipts/verify-receipt.ts';
import { changesOf, withByte, withByteTwice, withoutByte } from './change-bytes.ts';
import { evidence, makeFacts, makeSigned, makeSigner, verifierOf } from './facts.ts';

const signer = makeSigner();
const verify = (text: string | Uint8Array) => verifyReceipt(Buffer.from(text), verifierOf(signer));
const document = makeSigned(
  makeFacts([evidence({ action: 'confirmed', by: 'operator:Żaneta', note: 'paper, “all” of it' })]),
  signer,
);

describe('a receipt', () => {
  it('verifies unchanged', () => {
    expect(verify(document)).toMatchObject({ ok: true, receipt: { controller_id: 'acme' } });
  });

  it('verifies without this program, by the steps that docs/verifying.md gives for OpenSSL', () => {
    const signature = /^ {2}"signature": "(.*)"$/m.exec(document)?.[1] ?? '';
    const signed = document
      .replace(/^ {2}"signature": .*\n/m, '')
      .replace(/^( {2}"key_id": ".*"),$/m, '$1');
    const key = createPublicKey(signer.publicKey);
    const isGood = (text: string) =>
      verifyBytes(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
    expect(isGood(signed)).toBe(true);
    expect(isGood(signed.replace('"acme"', '"acne"'))).toBe(false);
    const der = key.export({ format: 'der', type: 'spki' });
    const keyId = createHash('sha256').update(der).digest('hex');
    expect(JSON.parse(signed).key_id).toBe(keyId);
  });

  it('is refused at once if it is nested deeper than any that Unwrite writes', () => {
    const nested = (levels: number, items: number) => {
      const inner = Array(items).fill(1).join();
      const deep = `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;
      return `{"document":"unwrite receipt","version":1,"deep":${deep}}`;
    };
    // Written as a receipt, the first has half a gigabyte; the second is too deep to be written at all.
    for (const text of [nested(3000, 80_000), nested(100_000, 1)]) {
      const before = process.cpuUsage();
      expect(verify(text)).toMatchObject({ ok: false, problem: expect.stringContaining('byte') });
      expect(process.cpuUsage(before).user).toBeLessThan(500_000);
    }
  });

  it('does not verify by another key', () => {
    const other = verifyReceipt(Buffer.from(document), verifierOf(makeSigner()));
    expect(other).toMatchObject({
      ok: false,
      problem: expect.stringContaining('not made with the given key'),
    });
  });

  it('does not verify with any one of its bytes changed', () => {
    const verified = [...Buffer.from(document).entries()].flatMap(([at, byte]) => {
      const changes = changesOf(byte);
      // Each byte in one way, all ways among neighbours; verify-receipt.long.test.ts tries all of each.
      const to = changes[at % changes.length] ?? byte ^ 1;
      return verify(withByte(document, at, to)).ok ? [`${at}: ${to}`] : [];
    });
    expect(verified).toEqual([]);
  });

  it('does not verify with any one of its bytes removed or doubled', () => {
    const bytes = Buffer.from(document);
    // Each in one of both ways; verify-receipt.long.test.ts tries both.
    const verified = [...bytes.keys()].filter(
      (at) => verify(at % 2 ? withoutByte(bytes, at) : withByteTwice(bytes, at)).ok,
    );
    expect(verified).toEqual([]);
  });

  it.each<[string, (text: string) => string]>([
    ['without its last line break', (text) => text.trimEnd()],
    ['with a byte order mark', (text) => `\ufeff${text}`],
    ['in one line', (text) => JSON.stringify(JSON.parse(text))],
    ['with Windows line breaks', (text) => text.replaceAll('\n', '\r\n')],
    ['with a member twice', (text) => text.replace('{\n', '{\n  "version": 1,\n')],
    ['with a member more', (text) => text.replace('{\n', '{\n  "x": 1,\n')],
    ['with a character escaped', (text) => text.replace('Ż', '\\u017b')],
    [
      'with members in another order',
      (text) => {
        const { version, ...rest } = JSON.parse(text);
        return `${JSON.stringify({ version, ...rest }, null, 2)}\n`;
      },
    ],
    [
      'with the signature first',
      (text) => {
        const { signature, ...rest } = JSON.parse(text);
        return `${JSON.stringify({ signature, ...rest }, null, 2)}\n`;
      },
    ],
    [
      'without a signature',
      (text) => {
        const { signature: _, ...rest } = JSON.parse(text);
        return `${JSON.stringify(rest, null, 2)}\n`;
      },
    ],
    [
      'with a signature of the same bytes in another alphabet',
      (text) => {
        const { signature, ...rest } = JSON.parse(text);
        const url = Buffer.from(signature, 'base64').toString('base64url');
        return `${JSON.stringify({ ...rest, signature: url }, null, 2)}\n`;
      },
    ],
    ['followed by another', (text) => text + text],
    ['of another version', (text) => text.replace('"version": 1', '"version": 2')],
  ])('does not verify %s', (_, change) => {
    expect(change(document)).not.toBe(document);
    expect(verify(change(document)).ok).toBe(false);
  });

  it.each(['', 'null', '[]', '"unwrite receipt"', '{}', 'nonsense', '\u0000'])(
    'is not what %j is',
    (text) => {
      expect(verify(text)).toEqual({ ok: false, problem: expect.any(String) });
    },
  );
});
