// Seals new audit rows every few seconds and logs each head. If the log is shipped to another machine, heads
// there cannot be changed from this one.

import type { AuditHead, AuditHeadStore } from '../domain/audit/proof-ports.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import { hex } from './chain.ts';
import type { Sealed } from './seal-audit.ts';

const SEAL_AFTER_MS = 3000;
const SEAL_AT_ROWS = 20_000;
const NAME = 'sealing the audit log';
export const HOW_TO_GO_ON =
  '"unwrite audit verify" names what was changed; find out who did it, then run "unwrite audit accept"';

export interface SealReport {
  sealed(fields: object): void;
  warn(fields: object, message: string): void;
  /** Called when someone else has written to the audit log: raises an alarm. */
  tampered(message: string, now: number): Promise<void>;
}

type Unsealed = AuditHeadStore['unsealed'];

export function createSealDue(unsealed: Unsealed): DueChore {
  return {
    name: NAME,
    async isDue(now) {
      const waiting = await unsealed();
      if (waiting === undefined) return false;
      // The row has a time in the future: the clock was set back. That must not stop sealing.
      const age = now - waiting.since;
      return age >= SEAL_AFTER_MS || age < 0 || waiting.rows >= SEAL_AT_ROWS;
    },
  };
}

/** Seals, logs the head, and writes it to the places outside the store. Also for callers that need a head now. */
export function createSealAndTell(
  seal: (now: number, isAccepted: boolean) => Promise<Sealed | undefined>,
  writeDown: () => Promise<unknown>,
  report: SealReport,
  /** Keeps the head outside the store. */
  witness?: (head: AuditHead) => void,
) {
  /** `isAccepted`: see seal-audit.ts. */
  return async (now: number, isAccepted = false): Promise<AuditHead | undefined> => {
    const sealed = await seal(now, isAccepted);
    if (sealed === undefined) return undefined;
    const { headNo, hash, lastAuditNo } = sealed.head;
    report.sealed({ head_no: headNo, hash: hex(hash), audit_no: lastAuditNo });
    // This comes first: the others use the store, which may not be reachable any more.
    try {
      witness?.(sealed.head);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      report.warn(
        { head_no: headNo, reason: code },
        'a head could not be appended to audit.witness_file',
      );
    }
    if (sealed.foreign.length > 0) await report.tampered(foreignRows(sealed), now);
    await writeDown();
    return sealed.head;
  };
}

const MAX_NAMED = 5;

function foreignRows({ foreign }: Sealed): string {
  const named = foreign.slice(0, MAX_NAMED).join(', ');
  const more = foreign.length > MAX_NAMED ? ` and ${foreign.length - MAX_NAMED} more` : '';
  return `rows of the audit log were written or changed by someone else: ${named}${more}. Requests that they name are not erased. ${HOW_TO_GO_ON}`;
}

export function createSealChore(
  unsealed: Unsealed,
  sealAndTell: (now: number) => Promise<unknown>,
): Chore {
  return {
    ...createSealDue(unsealed),
    async run(now) {
      await sealAndTell(now);
    },
  };
}
