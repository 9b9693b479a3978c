import type { ForgettingOperator } from '../../../domain/request/forgetting-ports.ts';
import type { Database } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { countEraseAgain, eraseAgain } from './erase-again.ts';
import { named, seen } from './seen.ts';

export function createForgettingOperator(database: Database): ForgettingOperator {
  return {
    countEraseAgain: (query) => countEraseAgain(database, query),
    eraseAgain: (query, task, by) => eraseAgain(database, query, task, by),
    async seen(controllerId, people, by) {
      // Recorded first: every lookup must be in the audit log.
      const detail = { people: people.length };
      await appendAudit(database, [auditOf('seen.asked', by, detail, controllerId)]);
      return seen(database, controllerId, people);
    },
    async named(lookups, by) {
      const asked = lookups.map(({ controllerId }) =>
        auditOf('seen.asked', by, null, controllerId),
      );
      await appendAudit(database, asked);
      return named(database, lookups);
    },
  };
}
