import type { ForgettingStore } from '../../../domain/request/forgetting-ports.ts';
import type { Database } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { anyAuditToCut } from '../audit/cut-audit.ts';
import { headsAround } from '../audit/heads-around.ts';
import { anyToForget, forgetRequests } from './forget-requests.ts';
import { anyToShred, shredIdentities } from './shred-identities.ts';
import { sweep } from './sweep.ts';

export function createForgettingStore(database: Database): ForgettingStore {
  const { unprepared } = database;
  return {
    anyToShred: (completedUntil) => anyToShred(database, completedUntil),
    shred: (until, max, now) =>
      unprepared.transaction((sql) => shredIdentities(sql, until, max, now)),
    anyToForget: (finalUntil) => anyToForget(database, finalUntil),
    forget: (until, max) => unprepared.transaction((sql) => forgetRequests(sql, until, max)),
    headsAround: (time) => headsAround(database, time),
    anyAuditToCut: (sealedUntil) => anyAuditToCut(database, sealedUntil),
    sweep: (until) => sweep(unprepared, until),
    recordForgotten: (counts, now) =>
      appendAudit(database, [auditOf('records.forgotten', { actor: 'system', now }, counts)]),
  };
}
