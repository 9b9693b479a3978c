import type { SetAside } from '../../../domain/audit/proof-ports.ts';
import type { Sql } from '../../sql.ts';

export function readSetAside(sql: Sql): Promise<SetAside[]> {
  return sql.all<SetAside>(
    'SELECT kind, number, time, content FROM @audit_set_aside ORDER BY set_aside_no',
  );
}
