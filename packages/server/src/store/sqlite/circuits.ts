import type { DatabaseSync } from 'node:sqlite';
import type { OpenCircuit } from '../../domain/fulfilment-ports.ts';

const COLUMNS = `target, code, detail, failures, opened_time AS openedTime, probe_time AS probeTime`;

export function prepareCircuits(database: DatabaseSync) {
  const select = database.prepare(`SELECT ${COLUMNS} FROM circuits WHERE target = ?`);
  const selectAll = database.prepare(`SELECT ${COLUMNS} FROM circuits ORDER BY target`);
  const upsert = database.prepare(`
    INSERT INTO circuits (target, code, detail, failures, opened_time, probe_time)
    VALUES (:target, :code, :detail, :failures, :openedTime, :probeTime)
    ON CONFLICT (target) DO UPDATE
    SET code = excluded.code, detail = excluded.detail, failures = excluded.failures,
        probe_time = excluded.probe_time
  `);
  const remove = database.prepare('DELETE FROM circuits WHERE target = ?');

  return {
    circuit: (target: string) => select.get(target) as unknown as OpenCircuit | undefined,
    circuits: () => selectAll.all() as unknown as OpenCircuit[],
    openCircuit(circuit: OpenCircuit): void {
      upsert.run({ ...circuit });
    },
    closeCircuit(target: string): void {
      remove.run(target);
    },
  };
}
