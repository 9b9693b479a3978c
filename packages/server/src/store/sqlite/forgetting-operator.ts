import type { DatabaseSync } from 'node:sqlite';
import type { ForgettingOperator } from '../../domain/forgetting-ports.ts';
import { prepareAppendAudit } from './audit.ts';
import { prepareCountEraseAgain, prepareEraseAgain } from './erase-again.ts';
import { prepareSeen } from './seen.ts';

export function createForgettingOperator(database: DatabaseSync): ForgettingOperator {
  const appendAudit = prepareAppendAudit(database);
  const countEraseAgain = prepareCountEraseAgain(database);
  const eraseAgain = prepareEraseAgain(database, appendAudit);
  const seen = prepareSeen(database);
  return {
    countEraseAgain: async (query) => countEraseAgain(query),
    eraseAgain: async (query, task, by) => eraseAgain(query, task, by),
    async seen(controllerId, digests, { actor, now }) {
      // First: nobody looks unseen.
      appendAudit({
        ...{ time: now, actor, action: 'seen.asked', controllerId },
        subjectRequestId: null,
        detail: null,
      });
      return seen(controllerId, digests);
    },
  };
}
