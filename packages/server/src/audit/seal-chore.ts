// Seals new audit rows every few seconds, and logs each head: copies of heads on another machine cannot
// be changed from this one.

import type { AuditHeadStore } from '../domain/audit/proof-ports.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import { hex } from './chain.ts';
import type { Sealed } from './seal-audit.ts';

const SEAL_AFTER_MS = 3000;
const SEAL_AT_ROWS = 20_000;
const NAME = 'sealing the audit log';

export interface SealReport {
  sealed(fields: object): void;
  warn(fields: object, message: string): void;
}

type Unsealed = AuditHeadStore['unsealed'];

export function createSealDue(unsealed: Unsealed): DueChore {
  return {
    name: NAME,
    async isDue(now) {
      const waiting = await unsealed();
      if (waiting === undefined) return false;
      // A row from the future: the clock was set back, and must not stop the sealing.
      const age = now - waiting.since;
      return age >= SEAL_AFTER_MS || age < 0 || waiting.rows >= SEAL_AT_ROWS;
    },
  };
}

/** Seals, logs the head, and lets it be written down outside of the store. Also for callers that need a head now. */
export function createSealAndTell(
  seal: (now: number) => Promise<Sealed | undefined>,
  writeDown: () => Promise<unknown>,
  report: SealReport,
) {
  return async (now: number): Promise<void> => {
    const sealed = await seal(now);
    if (sealed === undefined) return;
    const { headNo, hash, lastAuditNo } = sealed.head;
    report.sealed({ head_no: headNo, hash: hex(hash), audit_no: lastAuditNo });
    if (sealed.missingRows > 0) {
      report.warn(
        { head_no: headNo, rows: sealed.missingRows },
        'rows of the audit log were removed before they were sealed; run "unwrite audit verify"',
      );
    }
    await writeDown();
  };
}

export function createSealChore(
  unsealed: Unsealed,
  sealAndTell: (now: number) => Promise<void>,
): Chore {
  return { ...createSealDue(unsealed), run: sealAndTell };
}
