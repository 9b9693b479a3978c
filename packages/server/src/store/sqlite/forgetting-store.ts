import type { DatabaseSync } from 'node:sqlite';
import type { ForgettingStore } from '../../domain/forgetting-ports.ts';
import { anyAuditToCut, cutAudit } from '../shared/audit/cut-audit.ts';
import { prepareAppendAudit } from './audit.ts';
import { databaseOn } from './database.ts';
import { prepareAnyToForget, prepareForget, prepareSweep } from './forget-requests.ts';
import { prepareAnyToShred, prepareShred } from './shred-identities.ts';
import { inTransaction } from './transaction.ts';

export type DueToForget = Pick<ForgettingStore, 'anyToShred' | 'anyToForget' | 'anyAuditToCut'>;

/** The questions alone, which a connection that only reads can answer. */
export function createDueToForget(database: DatabaseSync): DueToForget {
  const anyToShred = prepareAnyToShred(database);
  const anyToForget = prepareAnyToForget(database);
  return {
    anyToShred: async (completedUntil) => anyToShred(completedUntil),
    anyToForget: async (finalUntil) => anyToForget(finalUntil),
    anyAuditToCut: (sealedUntil) => anyAuditToCut(databaseOn(database), sealedUntil),
  };
}

export function createForgettingStore(database: DatabaseSync): ForgettingStore {
  const appendAudit = prepareAppendAudit(database);
  const shred = prepareShred(database, appendAudit);
  const forget = prepareForget(database);
  const sweep = prepareSweep(database);
  const once = async <T>(work: () => T): Promise<T> => inTransaction(database, work);
  return {
    ...createDueToForget(database),
    shred: (until, most, now) => once(() => shred(until, most, now)),
    forget: (until, most) => once(() => forget(until, most)),
    cutAudit: (until) => databaseOn(database).transaction((sql) => cutAudit(sql, until)),
    sweep: async (until) => sweep(until),
    recordForgotten: async (counts, now) =>
      appendAudit({
        time: now,
        actor: 'system',
        action: 'records.forgotten',
        controllerId: null,
        subjectRequestId: null,
        detail: JSON.stringify(counts),
      }),
  };
}
