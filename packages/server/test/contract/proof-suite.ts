// What every store must do for proof: the audit log as a chain, what can be asked of it, and receipts.
import { describe } from 'vitest';
import { describeAuditLog, describeCatalogue } from './records/audit-log-cases.ts';
import { describeCutEvidence } from './records/cut-evidence-cases.ts';
import { describeDamagedLog } from './records/damaged-log-cases.ts';
import { describeEvidence } from './records/evidence-cases.ts';
import { describeForgedReceipts } from './records/forged-receipts-cases.ts';
import { describeForgedRows } from './records/forged-rows-cases.ts';
import { describeReceipts } from './records/receipt-cases.ts';
import { describeSealing } from './records/sealing-cases.ts';
import type { OpenRecords } from './records/under-test.ts';
import { useRecords } from './records/use-records.ts';

export function describeProof(name: string, openRecords: OpenRecords): void {
  describe(`proof in ${name}`, () => {
    const use = useRecords(openRecords);
    describe('the audit log', () => describeAuditLog(use));
    describe('the catalogue', () => describeCatalogue(use));
    describe('sealing', () => describeSealing(use));
    describe('a log that others wrote to', () => describeDamagedLog(use));
    describe('rows that somebody else wrote', () => describeForgedRows(use));
    describe('receipts that somebody else wrote', () => describeForgedReceipts(use));
    describe('receipts', () => describeReceipts(use));
    describe('evidence, after old rows were cut', () => describeCutEvidence(use));
    describe('evidence', () => describeEvidence(use));
  });
}
