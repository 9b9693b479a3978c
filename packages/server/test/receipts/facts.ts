// A completed request with everything that a receipt can tell, and a key to sign it.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createSignatureVerifier } from '../../src/audit/proof-key.ts';
import { keyIdOf } from '../../src/audit/published-key.ts';
import type { ProofSigner } from '../../src/domain/audit/proof-ports.ts';
import type { GivenReceipt, ReceiptFacts } from '../../src/domain/receipt/receipt.ts';
import type { Evidence } from '../../src/domain/task/task.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { hashDocument, signReceipt } from '../../src/receipts/canonical.ts';
import { makeFullReceipt } from '../../src/receipts/make-full-receipt.ts';
import { makeReceipt } from '../../src/receipts/make-receipt.ts';

export const NOON = Date.parse('2026-11-15T12:00:00Z');

export function makeSigner(): ProofSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    keyId: keyIdOf(publicKey),
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}

export function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    action: 'erased',
    connector: 'postgres',
    configuration: '0123456789abcdef0123456789abcdef',
    tables: { customers: { action: 'delete', rows: 2 } },
    verified: 'requeried',
    attempts: 1,
    started_time: '2026-11-15T11:59:00.000Z',
    finished_time: '2026-11-15T11:59:01.000Z',
    ...changes,
  };
}

export function makeFacts(
  evidences: readonly Evidence[],
  changes: Partial<ReceiptFacts> = {},
): ReceiptFacts {
  return {
    requestNo: 1,
    controllerId: 'acme' as ControllerId,
    subjectRequestId: 'a7551968-d5d6-44b2-9831-815ac9017798',
    regulation: 'gdpr',
    submittedTime: '2026-11-14T02:00:00Z',
    receivedTime: NOON - 86_400_000,
    createdBy: 'client:acme',
    startedTime: NOON - 120_000,
    completedTime: NOON - 1000,
    isAsCreated: true,
    planId: null,
    planDigest: null,
    plan: [{ target: 'shop', connector: 'postgres', digest: '0123456789abcdef0123456789abcdef' }],
    tasks: evidences.map((one, i) => ({
      taskNo: i + 1,
      target: `target-${i + 1}`,
      run: 1,
      evidence: one,
      digest: createHash('sha256').update(JSON.stringify(one)).digest('hex'),
    })),
    previous: null,
    rows: [],
    ...changes,
  };
}

/** As of a head that covers it. */
export const PROOF = { head: { head_no: 7, hash: 'ab'.repeat(32) }, inclusion: null, accepted: [] };

/** Where it does not matter what the audit log says. */
export const TRUSTING = {
  openProver: async () => async () => ({ outcome: 'proven' as const, ...PROOF }),
  seal: async () => undefined,
  refused: async () => undefined,
};

/** Documents that say nothing, with their digests. */
export function receiptTexts(document: string, fullDocument = `full ${document}`) {
  return {
    document,
    fullDocument,
    sha256: hashDocument(document),
    fullSha256: hashDocument(fullDocument),
  };
}

/** The full receipt, and the one for the controller. */
export function makeBoth(facts: ReceiptFacts, signer: ProofSigner): GivenReceipt {
  const signing = { domain: 'processor.example', keyId: signer.keyId, now: NOON, proof: PROOF };
  const full = makeFullReceipt(facts, signing);
  const fullDocument = signReceipt(full, signer);
  const before = facts.previous && hashDocument(facts.previous.document);
  const receipt = makeReceipt(full, hashDocument(fullDocument), before);
  return { document: signReceipt(receipt, signer), fullDocument };
}

export const makeSigned = (facts: ReceiptFacts, signer: ProofSigner): string =>
  makeBoth(facts, signer).fullDocument;

export const verifierOf = ({ publicKey }: ProofSigner) => createSignatureVerifier([publicKey]);
