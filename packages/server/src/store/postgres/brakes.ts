import { type Brake, type BrakeOperator, EVERYTHING } from '../../domain/brake-ports.ts';
import { dayOf } from '../../domain/day.ts';
import { appendAudit } from '../shared/audit/append-audit.ts';
import type { Database, Sql } from './database.ts';

/** For a condition on a column `target`. */
export const NOT_PAUSED = `NOT EXISTS (
  SELECT 1 FROM @brakes WHERE scope = '${EVERYTHING}' OR scope = target)`;

export function prepareBrakes(sql: Sql): () => Promise<Brake[]> {
  return () =>
    sql.all(
      `SELECT scope, paused_time AS "pausedTime", paused_by AS "pausedBy"
       FROM @brakes ORDER BY scope`,
    );
}

export function createBrakeOperator(database: Database): BrakeOperator {
  async function audit(
    sql: Sql,
    action: 'erasing.paused' | 'erasing.resumed',
    scope: string,
    { actor, now }: { readonly actor: string; readonly now: number },
  ): Promise<void> {
    const detail = JSON.stringify({ target: scope });
    const nobody = { controllerId: null, subjectRequestId: null };
    await appendAudit(sql, [{ time: now, actor, action, ...nobody, detail }]);
  }

  return {
    brakes: prepareBrakes(database),
    usedToday: async (what, whose, now) => {
      const row = await database.get<{ count: number }>(
        'SELECT count FROM @daily_counts WHERE day = $1 AND what = $2 AND whose = $3',
        [dayOf(now), what, whose],
      );
      return row?.count ?? 0;
    },
    pause: (scope, by) =>
      database.transaction(async (sql) => {
        const written = await sql.run(
          `INSERT INTO @brakes (scope, paused_time, paused_by) VALUES ($1, $2, $3)
           ON CONFLICT DO NOTHING`,
          [scope, by.now, by.actor],
        );
        if (written === 0) return false;
        await audit(sql, 'erasing.paused', scope, by);
        return true;
      }),
    resume: (scope, by) =>
      database.transaction(async (sql) => {
        if ((await sql.run('DELETE FROM @brakes WHERE scope = $1', [scope])) === 0) return false;
        await audit(sql, 'erasing.resumed', scope, by);
        return true;
      }),
  };
}
