import type { ForgettingOperator } from '../../domain/forgetting-ports.ts';
import { appendAudit } from '../shared/audit/append-audit.ts';
import type { Database } from './database.ts';
import { countEraseAgain, eraseAgain } from './erase-again.ts';
import { seen } from './seen.ts';

export function createForgettingOperator(database: Database): ForgettingOperator {
  return {
    countEraseAgain: (query) => countEraseAgain(database, query),
    eraseAgain: (query, task, by) => eraseAgain(database, query, task, by),
    async seen(controllerId, digests, { actor, now }) {
      // First: nobody looks unseen.
      const entry = { time: now, actor, action: 'seen.asked', controllerId } as const;
      await appendAudit(database, [{ ...entry, subjectRequestId: null, detail: null }]);
      return seen(database, controllerId, digests);
    },
  };
}
