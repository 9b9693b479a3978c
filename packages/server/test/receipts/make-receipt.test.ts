import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/domain/receipt/documents.ts';
import type { ReceiptFacts } from '../../src/domain/receipt/receipt.ts';
import { hashDocument } from '../../src/receipts/canonical.ts';
import { makeFullReceipt } from '../../src/receipts/make-full-receipt.ts';
import { makeReceipt } from '../../src/receipts/make-receipt.ts';
import { renderReceipt } from '../../src/receipts/render-receipt.ts';
import { verifyReceipt } from '../../src/receipts/verify-receipt.ts';
import { evidence, makeBoth, makeFacts, makeSigner, NOON, PROOF, verifierOf } from './facts.ts';

const signer = makeSigner();
const receiptOf = (facts: ReceiptFacts): Receipt => JSON.parse(makeBoth(facts, signer).document);

const plan = [
  { target: 'target-1', label: 'Web shop', connector: 'postgres', digest: '0123' },
  { target: 'target-2', connector: 'manual', digest: '4567' },
];
const NAMES = {
  skipped_tables: ['secret_table'],
  accepted: { 'triggers:secret_table': 'secret finding' },
  note: 'secret note',
  by: 'operator:secret',
};

describe('the receipt for a controller', () => {
  it('says what was done at each system, by the name that the operator gives it', () => {
    const tables = {
      customers: { action: 'delete', rows: 1 },
      orders: { action: 'delete', rows: 3, shared_kept: 2 },
      invoices: { action: 'retain', rows: 4, reason: 'tax law' },
    } as const;
    const receipt = receiptOf(makeFacts([evidence({ tables })], { plan }));
    expect(receipt).toMatchObject({
      document: 'unwrite receipt',
      version: 1,
      receipt_no: 1,
      controller_id: 'acme',
      not_found_anywhere: false,
      totals: { tasks: 1, rows_deleted: 4, rows_retained: 6 },
    });
    expect(receipt.systems).toEqual([
      {
        system: 'Web shop',
        run: 1,
        action: 'erased',
        verified: 'requeried',
        rows: { deleted: 4, shared_and_kept: 2, retained: 4 },
        started_time: '2026-11-15T11:59:00.000Z',
        finished_time: '2026-11-15T11:59:01.000Z',
      },
    ]);
    expect(receipt.retained).toEqual([
      {
        system: 'Web shop',
        rows: 2,
        reason: 'shared with somebody else',
        decided_by: 'the configuration',
      },
      { system: 'Web shop', rows: 4, reason: 'tax law', decided_by: 'the configuration' },
    ]);
  });

  it('names no tables, targets with a label, or staff, as a page neither', () => {
    const tables = { secret_table: { action: 'delete', rows: 1 } } as const;
    const kept = evidence({
      ...NAMES,
      action: 'retained',
      tables: {},
      legal_basis: 'GDPR 17(3)(b)',
    });
    const facts = makeFacts([evidence({ ...NAMES, tables }), { ...kept, note: 'a claim' }], {
      plan: [{ ...plan[0], target: 'target-1', connector: 'postgres', digest: '0' }],
      createdBy: 'operator:secret',
    });
    const { document, fullDocument } = makeBoth(facts, signer);
    expect(fullDocument).toContain('secret_table');
    for (const text of [document, renderReceipt(document)]) {
      expect(text).not.toMatch(/secret|target-1|operator:/);
      expect(text).toContain('Web shop');
      expect(text).toContain('a claim');
    }
    expect(JSON.parse(document)).toMatchObject({
      entered_by: 'the processor',
      systems: [{ tables_not_asked: 1 }, { system: 'target-2' }],
    });
  });

  it('says what a rented service keeps, and what brings people back there, as a page too', () => {
    const service = {
      recipe: 'zendesk',
      digest: 'ab',
      leaves: ['tickets stay'],
      comes_back: ['an e-mail makes a new user'],
    };
    const { document, fullDocument } = makeBoth(makeFacts([evidence({ service })]), signer);
    for (const text of [
      document,
      fullDocument,
      renderReceipt(document),
      renderReceipt(fullDocument),
    ]) {
      expect(text).toContain('tickets stay');
      expect(text).toContain('an e-mail makes a new user');
    }
  });

  it.each([
    ['operator:olga', 'request.completed', null],
    ['system', 'task.erased', null],
    ['system', 'request.completed', 'the same'],
  ])('leaves out the proof of a row of %s that says %s', (actor, action, kept) => {
    const inclusion = { entry: JSON.stringify({ actor, action }), leaf_index: 1, path: [] };
    const proof = { ...PROOF, inclusion };
    const signing = { domain: 'd', keyId: 'k', now: NOON, proof };
    const full = makeFullReceipt(makeFacts([evidence()]), signing);
    expect(full.audit_proof).toEqual(inclusion);
    expect(makeReceipt(full, 'ab', null).audit_proof).toEqual(kept === null ? null : inclusion);
  });

  it('counts what a person kept, where it was counted', () => {
    const retained = { action: 'retained', tables: {}, note: 'Tax law' } as const;
    const receipt = receiptOf(
      makeFacts([evidence({ ...retained, kept_rows: 7 }), evidence(retained)], { plan }),
    );
    expect(receipt.retained).toEqual([
      { system: 'Web shop', rows: 7, reason: 'Tax law', decided_by: 'a person' },
      { system: 'target-2', rows: null, reason: 'Tax law', decided_by: 'a person' },
    ]);
    expect(receipt.systems.map(({ rows }) => rows)).toEqual([{ retained: 7 }, {}]);
    expect(receipt.totals.rows_retained).toBe(7);
  });

  it('has the digest of the full receipt, and verifies like it', () => {
    const { document, fullDocument } = makeBoth(makeFacts([evidence()]), signer);
    expect(JSON.parse(document).full_receipt_sha256).toBe(hashDocument(fullDocument));
    for (const text of [document, fullDocument]) {
      expect(verifyReceipt(Buffer.from(text), verifierOf(signer))).toMatchObject({ ok: true });
    }
  });

  it('names, as an addendum, the receipt before it by its hash', () => {
    const first = makeBoth(makeFacts([evidence()]), signer);
    const previous = { receiptNo: 1, ...first };
    expect(receiptOf(makeFacts([evidence()], { previous }))).toMatchObject({
      receipt_no: 2,
      previous_receipt: { receipt_no: 1, sha256: hashDocument(first.document) },
    });
  });
});
