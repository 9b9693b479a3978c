// What the database hides from the account: MySQL and MariaDB do not list what it has no right on.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { Catalogue } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { acceptable, listNames, problem } from './line.ts';
import type { Need } from './probe.ts';
import { writeTable } from './write-name.ts';

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
      `${account} may read only some of its columns, and the server hides the others from it, so a tenant column among them would go unnoticed; run: GRANT SELECT ON ${writeTable(dialect, table)} TO ${account}`,
    );
  });
}

/** `triggered`: tables that listed triggers may write to. */
export function checkHiddenEffects(
  dialect: SqlDialect,
  needs: readonly Need[],
  triggered: readonly string[],
  catalogue: Catalogue,
): CheckLine[] {
  const blind = needs.flatMap(({ table }) => catalogue.get(table)?.keysHiddenFrom ?? [])[0];
  const changed = needs
    .filter(({ isDeleted, written }) => isDeleted || written.length > 0)
    .map(({ table }) => table);
  const fired = new Set([...changed, ...triggered]);
  const hidden = [...fired].filter((table) => catalogue.get(table)?.triggersHiddenFrom);
  const account = hidden.flatMap((table) => catalogue.get(table)?.triggersHiddenFrom ?? [])[0];
  const grants = hidden.map(
    (table) => `GRANT TRIGGER ON ${writeTable(dialect, table)} TO ${account}`,
  );
  return [
    ...(blind === undefined
      ? []
      : [
          acceptable(
            'unseen-foreign-keys',
            'account',
            `${blind} cannot see foreign keys of tables that it has no rights on, so cascades into them would go unnoticed; run: GRANT PROCESS ON *.* TO ${blind}`,
          ),
        ]),
    ...(hidden.length === 0
      ? []
      : [
          acceptable(
            'unseen-triggers',
            'account',
            `${account} cannot see the triggers of ${listNames(hidden)}, which may copy or change what is erased; run: ${grants.join('; ')} (it could then also create some), or look yourself by SHOW TRIGGERS`,
          ),
        ]),
  ];
}

/** `affected`: tables whose changes fire triggers, or make foreign keys change other rows. */
export function checkHiddenChanges(affected: readonly string[], catalogue: Catalogue): CheckLine[] {
  const account = affected.flatMap((table) => catalogue.get(table)?.changesHiddenFrom ?? [])[0];
  if (account === undefined) return [];
  return [
    problem(
      'account',
      `changes of ${listNames(affected)} fire triggers or make foreign keys change other rows, and ${account} may not read how many rows a transaction has changed (information_schema.INNODB_TRX), so nothing would notice if others are among them; run: GRANT PROCESS ON *.* TO ${account}`,
    ),
  ];
}
