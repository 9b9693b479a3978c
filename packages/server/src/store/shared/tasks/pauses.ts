import { EVERYTHING, type Pause, type PauseOperator } from '../../../domain/task/pause-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { NOT_WENT_BACK } from '../restores/went-back.ts';
import { readDailyCount } from './daily-counts.ts';
import { loggedPauses, timeAfterLogged } from './logged-pauses.ts';

/** For a condition on a column `target`. */
export const NOT_PAUSED = `NOT EXISTS (
  SELECT 1 FROM @brakes WHERE scope = '${EVERYTHING}' OR scope = target) AND ${NOT_WENT_BACK}`;

export function readPauses(sql: Sql): Promise<Pause[]> {
  return sql.all(
    `SELECT scope, paused_time AS "pausedTime", paused_by AS "pausedBy"
     FROM @brakes ORDER BY scope`,
  );
}

export function createPauseOperator(database: Database): PauseOperator {
  return {
    list: () => readPauses(database),
    usedToday: (what, whose, now) => readDailyCount(database, what, whose, now),
    pause: (scope, by) =>
      database.transaction(async (sql) => {
        const written = await sql.run(
          `INSERT INTO @brakes (scope, paused_time, paused_by) VALUES (:scope, :now, :actor)
           ON CONFLICT DO NOTHING`,
          { scope, now: by.now, actor: by.actor },
        );
        if (written === 0) return false;
        const now = await timeAfterLogged(sql, sql.rowMacs, scope, by.now);
        await appendAudit(sql, [auditOf('erasing.paused', { ...by, now }, { target: scope })]);
        return true;
      }),
    resume: (scope, by) =>
      database.transaction(async (sql) => {
        const [removed] = await sql.all<{ pausedTime: number }>(
          'DELETE FROM @brakes WHERE scope = :scope RETURNING paused_time AS "pausedTime"',
          { scope },
        );
        const pausedTime = (await loggedPauses(sql)).get(scope) ?? removed?.pausedTime;
        if (pausedTime === undefined) return false;
        // A time after the pause, regardless of the clock, because the log is read by time.
        const now = Math.max(by.now, pausedTime + 1);
        await appendAudit(sql, [auditOf('erasing.resumed', { ...by, now }, { target: scope })]);
        return true;
      }),
  };
}
