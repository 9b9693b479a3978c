// What the configuration has to know about each database.
import type { SqlConnector } from '../../../domain/target/target.ts';

interface Database {
  /** Its address is a URL with one of these schemes, or the path of a file. */
  readonly address: { readonly schemes: readonly [string, ...string[]] } | 'file';
  /** Batches at the same time, unless the target says otherwise. */
  readonly concurrency: number;
}

export const DATABASES: Readonly<Record<SqlConnector, Database>> = {
  // It works on one batch while we seal and record the other; other databases gain nothing by it.
  postgres: { address: { schemes: ['postgres:', 'postgresql:'] }, concurrency: 2 },
  mysql: { address: { schemes: ['mysql:', 'mariadb:'] }, concurrency: 1 },
  sqlite: { address: 'file', concurrency: 1 },
};

export function isFile(connector: SqlConnector): boolean {
  return DATABASES[connector].address === 'file';
}
