import { describe, expect, it } from 'vitest';
import type { FullReceipt } from '../../src/domain/receipt/documents.ts';
import type { ReceiptFacts } from '../../src/domain/receipt/receipt.ts';
import { hashDocument } from '../../src/receipts/canonical.ts';
import { evidence, makeFacts, makeSigned, makeSigner } from './facts.ts';

const signer = makeSigner();
const receiptOf = (facts: ReceiptFacts): FullReceipt => JSON.parse(makeSigned(facts, signer));

const notFound = evidence({ action: 'not_found', tables: {}, verified: 'requeried' });
const retainedByPerson = evidence({
  action: 'retained',
  connector: 'manual',
  tables: {},
  verified: 'not applicable',
  by: 'operator:igor',
  note: 'Tax law',
  legal_basis: 'GDPR 17(3)(b)',
});

describe('the full receipt', () => {
  it('says who, what, when, by which plan, and with which audit head and key', () => {
    expect(receiptOf(makeFacts([evidence()]))).toEqual({
      document: 'unwrite full receipt',
      version: 1,
      receipt_no: 1,
      previous_receipt: null,
      processor_domain: 'processor.example',
      controller_id: 'acme',
      subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
      regulation: 'gdpr',
      submitted_time: '2026-11-14T02:00:00Z',
      received_time: '2026-11-14T12:00:00.000Z',
      started_time: '2026-11-15T11:58:00.000Z',
      completed_time: '2026-11-15T11:59:59.000Z',
      signed_time: '2026-11-15T12:00:00.000Z',
      not_found_anywhere: false,
      retained: [],
      plan: [
        {
          target: 'shop',
          connector: 'postgres',
          configuration: '0123456789abcdef0123456789abcdef',
        },
      ],
      tasks: [
        {
          target: 'target-1',
          task: 1,
          run: 1,
          ...evidence(),
          tables: [{ table: 'customers', action: 'delete', rows: 2 }],
        },
      ],
      totals: {
        tasks: 1,
        rows_deleted: 2,
        rows_overwritten: 0,
        rows_erased: 0,
        rows_retained: 0,
        rows_removed_by_cascade: 0,
        rows_detached: 0,
        rows_shared_and_kept: 0,
        rows_already_gone: 0,
      },
      audit_head: { head_no: 7, hash: 'ab'.repeat(32) },
      audit_proof: null,
      key_id: signer.keyId,
      signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
    });
  });

  it('says first what was retained and why, before what was done', () => {
    const tables = {
      orders: { action: 'overwrite', rows: 3 },
      invoices: { action: 'retain', rows: 4, reason: 'tax law, 10 years' },
    } as const;
    const receipt = receiptOf(makeFacts([evidence({ tables }), retainedByPerson]));
    expect(receipt.retained).toEqual([
      { target: 'target-1', task: 1, table: 'invoices', rows: 4, reason: 'tax law, 10 years' },
      {
        target: 'target-2',
        task: 2,
        rows: null,
        legal_basis: 'GDPR 17(3)(b)',
        reason: 'Tax law',
        by: 'operator:igor',
        time: '2026-11-15T11:59:01.000Z',
      },
    ]);
    const members = Object.keys(receipt);
    expect(members.indexOf('retained')).toBeLessThan(members.indexOf('tasks'));
    expect(receipt.totals).toMatchObject({ tasks: 2, rows_overwritten: 3, rows_retained: 4 });
  });

  it('lists shared rows that were kept as retained, and counts them so', () => {
    const tables = { chats: { action: 'delete', rows: 1, shared_kept: 2 } } as const;
    const receipt = receiptOf(makeFacts([evidence({ tables })]));
    expect(receipt.retained).toEqual([
      { target: 'target-1', task: 1, table: 'chats', rows: 2, reason: 'shared with somebody else' },
    ]);
    expect(receipt.totals).toMatchObject({ rows_deleted: 1, rows_retained: 2 });
  });

  it('counts what foreign keys did apart: neither deleted nor retained', () => {
    const tables = {
      comments: { action: 'delete', rows: 2, detached: 3 },
      notes: { action: 'cascade', rows: 4 },
      invoices: { action: 'retain', rows: 5, detached: 1 },
      reviews: { action: 'detach', rows: 0, detached: 6 },
    } as const;
    expect(receiptOf(makeFacts([evidence({ tables })])).totals).toMatchObject({
      rows_deleted: 2,
      rows_erased: 0,
      rows_retained: 5,
      rows_removed_by_cascade: 4,
      rows_detached: 10,
    });
  });

  it('does not count rows as erased that were gone before', () => {
    const tables = { orders: { action: 'delete', rows: 1, already_gone: 2 } } as const;
    const receipt = receiptOf(makeFacts([evidence({ tables })]));
    expect(receipt.tasks[0]?.tables).toEqual([{ table: 'orders', ...tables.orders }]);
    expect(receipt.retained).toEqual([]);
    expect(receipt.totals).toMatchObject({ rows_deleted: 1, rows_retained: 0 });
  });

  it('names tables that were skipped, and findings that were accepted', () => {
    const accepted = { 'history:customers': 'dropped every night' };
    const receipt = receiptOf(makeFacts([evidence({ skipped_tables: ['tickets'], accepted })]));
    expect(receipt.tasks[0]).toMatchObject({ skipped_tables: ['tickets'], accepted });
  });

  it('keeps what evidence says of a recovery, of other requests and of people', () => {
    const other = '11111111-1111-4111-8111-111111111111';
    const receipt = receiptOf(
      makeFacts([
        evidence({ recovered: true, attempts: 3 }),
        evidence({ action: 'already_erased', tables: {}, already_erased_by: [other] }),
        evidence({
          action: 'confirmed',
          verified: 'confirmed by a person',
          by: 'operator:olga',
          note: 'shredded',
        }),
        evidence({ verified: 'reported, not re-queried' }),
      ]),
    );
    expect(receipt.tasks).toMatchObject([
      { recovered: true, attempts: 3 },
      { already_erased_by: [other] },
      { verified: 'confirmed by a person', by: 'operator:olga', note: 'shredded' },
      { verified: 'reported, not re-queried' },
    ]);
  });

  it.each([
    ['no target had anything', [notFound, notFound], true],
    ['one target had something', [notFound, evidence()], false],
    [
      'all that was found is retained',
      [evidence({ action: 'not_found', tables: { a: { action: 'retain', rows: 1 } } })],
      false,
    ],
    [
      'what was found is shared and kept',
      [
        evidence({
          action: 'not_found',
          tables: { a: { action: 'delete', rows: 0, shared_kept: 1 } },
        }),
      ],
      false,
    ],
    [
      'a table was not asked',
      [evidence({ action: 'not_found', tables: {}, skipped_tables: ['news'] })],
      false,
    ],
    ['a person confirmed', [notFound, evidence({ action: 'confirmed', tables: {} })], false],
    ['a person retained', [notFound, retainedByPerson], false],
  ])('says whether the person was found anywhere: %s', (_, evidences, expected) => {
    expect(receiptOf(makeFacts(evidences)).not_found_anywhere).toBe(expected);
  });

  it('does not say, as an addendum, that the person was found nowhere after an earlier receipt found it', () => {
    const kept = evidence({ action: 'not_found', tables: { a: { action: 'retain', rows: 2 } } });
    const after = (document: string) => ({
      previous: { receiptNo: 1, document: '{}', fullDocument: document },
    });
    const addendum = (first: string) => makeSigned(makeFacts([notFound], after(first)), signer);
    const saysNowhere = (document: string) => JSON.parse(document).not_found_anywhere;
    const second = addendum(makeSigned(makeFacts([kept]), signer));
    expect([saysNowhere(second), saysNowhere(addendum(second))]).toEqual([false, false]);
    expect(saysNowhere(addendum(makeSigned(makeFacts([notFound]), signer)))).toBe(true);
  });

  it('names, as an addendum, the receipt before it by its hash', () => {
    const first = makeSigned(makeFacts([evidence()]), signer);
    const previous = { receiptNo: 1, document: '{}', fullDocument: first };
    expect(receiptOf(makeFacts([evidence()], { previous }))).toMatchObject({
      receipt_no: 2,
      previous_receipt: { receipt_no: 1, sha256: hashDocument(first) },
    });
  });
});
