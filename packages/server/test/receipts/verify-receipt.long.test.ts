import { expect, it } from 'vitest';
import { verifyReceipt } from '../../src/receipts/verify-receipt.ts';
import { changesOf, withByte } from './change-bytes.ts';
import { evidence, makeFacts, makeSigned, makeSigner, verifierOf } from './facts.ts';

it('a receipt does not verify with any one of its bytes changed, in any of many ways', () => {
  const signer = makeSigner();
  const note = 'paper, \u201call\u201d of it';
  const facts = makeFacts([evidence({ action: 'confirmed', by: 'operator:\u017baneta', note })]);
  const document = makeSigned(facts, signer);
  const verified = [...Buffer.from(document).entries()].flatMap(([at, byte]) =>
    changesOf(byte)
      .filter((to) => verifyReceipt(withByte(document, at, to), verifierOf(signer)).ok)
      .map((to) => `${at}: ${to}`),
  );
  expect(verified).toEqual([]);
}, 60_000);
