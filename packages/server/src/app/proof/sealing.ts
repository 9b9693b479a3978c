// Builds the sealing of the audit log: for the worker's chores, for receipts on demand, and before the server
// stops.
import type { TellAlarms } from '../../alarms/watch-chores.ts';
import { type LiveProofSigner, loadProofSigner } from '../../audit/proof-key.ts';
import { headDocument } from '../../audit/prove/audit-proofs.ts';
import { createSealAudit, LogDamaged, type Sealed } from '../../audit/seal-audit.ts';
import { createSealAndTell, HOW_TO_GO_ON } from '../../audit/seal-chore.ts';
import { appendToWitness } from '../../audit/witness/witness-file.ts';
import { anAlarm } from '../../domain/alarm/alarm.ts';
import type { ConditionStore } from '../../domain/alarm/alarm-ports.ts';
import type { AuditHeadStore } from '../../domain/audit/proof-ports.ts';
import { isToPutBack } from '../../domain/keys/missing-secret.ts';
import { dayOf } from '../../domain/limit/day.ts';
import type { Store } from '../../domain/store/store.ts';
import { DAMAGED_LOG, EVERYTHING, type PauseOperator } from '../../domain/task/pause-ports.ts';
import { reasonOf } from '../../telemetry/http-log.ts';
import type { MasterKeyRing } from '../../vault/master-key.ts';
import { createSecretSealer } from '../../vault/seal-secret.ts';
import { createTellAlarms } from '../alarms.ts';
import { within } from '../within.ts';

/** Each covers tens of thousands of rows; the rest is covered after the next start. */
const MAX_LAST_HEADS = 10;
const SEAL_LAST_MS = 5000;

/** Places outside the store that get new heads. */
export interface HeadsElsewhere {
  /** Writes the newest head to a file outside the store. */
  readonly writeDownHead: () => Promise<unknown>;
  readonly witnessFile: string | undefined;
  readonly log: (level: 'info' | 'warn', fields: object, message: string) => void;
}

export interface SealerParts extends HeadsElsewhere {
  readonly auditHeads: AuditHeadStore;
  readonly alarms: Pick<ConditionStore, 'raise'>;
  readonly pauses: Pick<PauseOperator, 'pause'>;
  readonly signer: LiveProofSigner;
}

export function createSealer(parts: SealerParts) {
  const { auditHeads, alarms, pauses, signer, writeDownHead, witnessFile, log } = parts;
  const seal = createSealAudit(auditHeads, signer, signer.verify);
  const warn = (fields: object, message: string) => log('warn', fields, message);
  const tampered = createTampered(alarms, createTellAlarms(warn));

  /** Only sealing waits for the right key. Without it, heads are not read: none would be recognised as ours. */
  async function sealIfUsable(now: number, isAccepted: boolean): Promise<Sealed | undefined> {
    try {
      return await signer.withNewestKeys(() => {
        if (signer.unusable !== undefined) throw signer.unusable;
        return seal(now, isAccepted);
      });
    } catch (error) {
      if (error instanceof LogDamaged) {
        await pauses.pause(EVERYTHING, { actor: DAMAGED_LOG, now });
        await tampered(
          `${error.message}: erasing is paused, and no heads and receipts are signed. ${HOW_TO_GO_ON}`,
          now,
        );
        return undefined;
      }
      if (!isToPutBack(error)) throw error;
      await tampered(`no heads and receipts are signed: ${error.message}`, now);
      return undefined;
    }
  }

  return createSealAndTell(
    sealIfUsable,
    writeDownHead,
    {
      sealed: (fields) => log('info', fields, 'the audit log is sealed'),
      warn,
      tampered,
    },
    witnessFile === undefined
      ? undefined
      : (head) => appendToWitness(witnessFile, headDocument(head)),
  );
}

/** Raises each message at most once a day. */
export function createTampered(store: Pick<ConditionStore, 'raise'>, tell: TellAlarms) {
  return async (message: string, now: number): Promise<void> => {
    const subject = `${dayOf(now)} ${message}`;
    tell(await store.raise([anAlarm('audit_tampered', subject, message, now)]));
  };
}

export interface SealLastParts extends HeadsElsewhere {
  readonly store: Pick<Store, 'ownSecrets' | 'proofKeys' | 'auditHeads' | 'alarms' | 'pauses'>;
  readonly masterKeys: MasterKeyRing;
}

/**
 * Called before the server stops: a head that is known outside the store then covers everything it has answered. If the
 * store is unavailable, the next start seals the rest.
 */
export async function sealLast(parts: SealLastParts, now: number): Promise<void> {
  try {
    await within(SEAL_LAST_MS, sealAll(parts, now));
  } catch (error) {
    const reason = { reason: reasonOf(error) };
    parts.log('warn', reason, 'the audit log could not be sealed at the end');
  }
}

async function sealAll(parts: SealLastParts, now: number): Promise<void> {
  const { auditHeads, alarms, pauses } = parts.store;
  const signer = await loadProofSigner(parts.store, createSecretSealer(parts.masterKeys), now);
  const sealAndTell = createSealer({ ...parts, auditHeads, alarms, pauses, signer });
  for (let heads = 0; heads < MAX_LAST_HEADS; heads++) {
    if ((await auditHeads.unsealed()) === undefined) return;
    if ((await sealAndTell(now)) === undefined) return;
  }
}
