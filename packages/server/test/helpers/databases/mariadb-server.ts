// A MariaDB of one's own. Most tests want only a database of their own: see fresh-mariadb.ts.
import { type DatabaseServer, startGuarded } from './guarded-server.ts';

export function startMariadb(): Promise<DatabaseServer> {
  return startGuarded('mariadb');
}
