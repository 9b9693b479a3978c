import { type Brake, type BrakeOperator, EVERYTHING } from '../../domain/brake-ports.ts';
import { appendAudit } from './audit.ts';
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
