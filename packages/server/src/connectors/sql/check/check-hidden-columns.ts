import type { CheckLine } from '../../../domain/target/connector.ts';
import type { Catalogue } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { acceptable } from './line.ts';
import { writeName } from './write-name.ts';

/** MySQL and MariaDB hide from an account the columns on which it has no right. */
export function checkHiddenColumns(
  dialect: SqlDialect,
  tables: readonly string[],
  catalogue: Catalogue,
): CheckLine[] {
  return tables.flatMap((table) => {
    const account = catalogue.get(table)?.columnsHiddenFrom;
    if (account === undefined) return [];
    return acceptable(
      `unseen-columns:${table}`,
      table,
      `${account} may read only some of its columns, and the server hides the others from it, so a tenant column among them would go unnoticed; run: GRANT SELECT ON ${writeName(dialect, table)} TO ${account}`,
    );
  });
}
