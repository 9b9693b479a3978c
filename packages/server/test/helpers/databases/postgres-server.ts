// A PostgreSQL of one's own. Most tests want only a database of their own: see fresh-postgres.ts.
import { type DatabaseServer, startGuarded } from './guarded-server.ts';

export function startPostgres(): Promise<DatabaseServer> {
  return startGuarded('postgres');
}
