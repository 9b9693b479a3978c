import { expect, it } from 'vitest';
import { verifyReceipt } from '../../src/receipts/verify-receipt.ts';
import { changesOf, withByte, withByteTwice, withoutByte } from './change-bytes.ts';
import { evidence, makeFacts, makeSigned, makeSigner, verifierOf } from './facts.ts';

const signer = makeSigner();
const note = 'paper, \u201call\u201d of it';
const facts = makeFacts([evidence({ action: 'confirmed', by: 'operator:\u017baneta', note })]);
const document = makeSigned(facts, signer);
const verifies = (changed: Uint8Array) => verifyReceipt(changed, verifierOf(signer)).ok;

it('a receipt does not verify with any one of its bytes changed, in any of many ways', () => {
  const verified = [...Buffer.from(document).entries()].flatMap(([at, byte]) =>
    changesOf(byte)
      .filter((to) => verifies(withByte(document, at, to)))
      .map((to) => `${at}: ${to}`),
  );
  expect(verified).toEqual([]);
}, 60_000);

it('a receipt does not verify with any one of its bytes removed or doubled', () => {
  const bytes = Buffer.from(document);
  const verified = [...bytes.keys()].filter(
    (at) => verifies(withoutByte(bytes, at)) || verifies(withByteTwice(bytes, at)),
  );
  expect(verified).toEqual([]);
}, 60_000);
