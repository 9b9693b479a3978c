import type { FulfilmentStore, OpenCircuit } from '../../../domain/task/fulfilment-ports.ts';
import type { Sql } from '../../sql.ts';
import { storedText } from '../../stored-text.ts';

const CIRCUIT = `SELECT target, code, detail, failures, opened_time AS "openedTime",
  probe_time AS "probeTime" FROM @circuits`;

export function readCircuits(sql: Sql): Promise<OpenCircuit[]> {
  return sql.all(`${CIRCUIT} ORDER BY target`);
}

export function createCircuits(
  sql: Sql,
): Pick<FulfilmentStore, 'circuit' | 'openCircuit' | 'closeCircuit'> {
  return {
    circuit: (target) => sql.get<OpenCircuit>(`${CIRCUIT} WHERE target = :target`, { target }),
    async openCircuit(circuit) {
      await sql.run(
        `INSERT INTO @circuits (target, code, detail, failures, opened_time, probe_time)
         VALUES (:target, :code, :detail, :failures, :openedTime, :probeTime)
         ON CONFLICT (target) DO UPDATE
         SET code = excluded.code, detail = excluded.detail, failures = excluded.failures,
             probe_time = excluded.probe_time`,
        { ...circuit, code: storedText(circuit.code), detail: storedText(circuit.detail) },
      );
    },
    async closeCircuit(target) {
      await sql.run('DELETE FROM @circuits WHERE target = :target', { target });
    },
  };
}
