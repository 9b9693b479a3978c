import type { DatabaseSync } from 'node:sqlite';
import { type Brake, type BrakeOperator, EVERYTHING } from '../../domain/brake-ports.ts';
import { prepareAppendAudit } from './audit.ts';
import { prepareDailyCount } from './daily-counts.ts';
import { inTransaction } from './transaction.ts';

/** For a condition on a column `target`. */
export const NOT_PAUSED = `NOT EXISTS (
  SELECT 1 FROM brakes WHERE scope = '${EVERYTHING}' OR scope = target)`;

export function prepareIsPaused(database: DatabaseSync) {
  const select = database.prepare('SELECT 1 FROM brakes WHERE scope = ? OR scope = ?');
  return (target: string): boolean => select.get(EVERYTHING, target) !== undefined;
}

export function prepareBrakes(database: DatabaseSync): () => Brake[] {
  const select = database.prepare(`
    SELECT scope, paused_time AS pausedTime, paused_by AS pausedBy FROM brakes ORDER BY scope
  `);
  return () => select.all() as unknown as Brake[];
}

export function createBrakeOperator(database: DatabaseSync): BrakeOperator {
  const appendAudit = prepareAppendAudit(database);
  const brakes = prepareBrakes(database);
  const dailyCount = prepareDailyCount(database);
  const pause = database.prepare(`
    INSERT INTO brakes (scope, paused_time, paused_by) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
  `);
  const resume = database.prepare('DELETE FROM brakes WHERE scope = ?');

  function audit(
    action: 'erasing.paused' | 'erasing.resumed',
    scope: string,
    actor: string,
    time: number,
  ) {
    const detail = JSON.stringify({ target: scope });
    appendAudit({ time, actor, action, controllerId: null, subjectRequestId: null, detail });
  }

  return {
    brakes: async () => brakes(),
    usedToday: async (what, whose, now) => dailyCount(what, whose, now),
    pause: async (scope, { actor, now }) =>
      inTransaction(database, () => {
        if (pause.run(scope, now, actor).changes === 0) return false;
        audit('erasing.paused', scope, actor, now);
        return true;
      }),
    resume: async (scope, { actor, now }) =>
      inTransaction(database, () => {
        if (resume.run(scope).changes === 0) return false;
        audit('erasing.resumed', scope, actor, now);
        return true;
      }),
  };
}
