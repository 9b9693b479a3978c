import type { OpenCircuit } from '../../domain/fulfilment-ports.ts';
import { storedText } from '../stored-text.ts';
import type { Sql } from './database.ts';

const COLUMNS = `target, code, detail, failures, opened_time AS "openedTime",
  probe_time AS "probeTime"`;

export function prepareCircuits(sql: Sql) {
  return {
    circuit: (target: string): Promise<OpenCircuit | undefined> =>
      sql.get(`SELECT ${COLUMNS} FROM @circuits WHERE target = $1`, [target]),
    circuits: (): Promise<OpenCircuit[]> =>
      sql.all(`SELECT ${COLUMNS} FROM @circuits ORDER BY target`),
    async openCircuit(circuit: OpenCircuit): Promise<void> {
      const { target, code, detail, failures, openedTime, probeTime } = circuit;
      await sql.run(
        `INSERT INTO @circuits (target, code, detail, failures, opened_time, probe_time)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (target) DO UPDATE
         SET code = excluded.code, detail = excluded.detail, failures = excluded.failures,
             probe_time = excluded.probe_time`,
        [target, storedText(code), storedText(detail), failures, openedTime, probeTime],
      );
    },
    async closeCircuit(target: string): Promise<void> {
      await sql.run('DELETE FROM @circuits WHERE target = $1', [target]);
    },
  };
}
