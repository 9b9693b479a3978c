import type { CheckLine } from '../../domain/target/connector.ts';
import { lackedRights, listNames, type MissingRights, ok, warning } from '../sql/check/line.ts';
import type { Need, Read } from '../sql/check/probe.ts';
import { writeName, writeTable } from '../sql/check/write-name.ts';
import { quoteTable } from '../sql/dialect.ts';
import { splitTableName } from '../sql/table-name.ts';
import { TRANSACTION_TABLE } from '../sql/transactions/transaction-table.ts';
import { checkDefiners } from './check-definers.ts';
import { isDenied } from './hidden-columns.ts';
import { mysqlDialect } from './mysql-dialect.ts';
import { type Granted, readGranted } from './mysql-granted.ts';
import { mysqlTransactions } from './mysql-transactions.ts';
import { quoteMysqlName } from './quote-name.ts';

const TRANSACTION_TABLE_SEEN = `
  SELECT 1 AS n FROM information_schema.TABLES WHERE TABLE_SCHEMA = database() AND TABLE_NAME = ?`;

const CHANGES = ['DELETE', 'UPDATE', 'DROP', 'ALTER', 'CREATE', 'INSERT', 'SUPER'];

export async function checkMysqlRights(
  read: Read,
  needs: readonly Need[],
  triggered: readonly string[],
): Promise<CheckLine[]> {
  const granted = await readGranted(read);
  const missing: MissingRights[] = [];
  for (const need of needs) missing.push(...(await checkNeed(read, need, granted)));
  missing.push(...(await checkTransactionTable(read, granted)));
  const lines = lackedRights(granted.account, missing);
  if (lines.length === 0)
    lines.push(ok('account', `${granted.account} may do what the plan needs`));
  return [
    ...lines,
    ...(await checkDefiners(read, needs, triggered)),
    ...checkBeyond([...needs.map(({ table }) => table), ...triggered], granted),
  ];
}

/** When it explains a statement, the server checks the rights as if it ran it. */
async function checkNeed(read: Read, need: Need, { account }: Granted): Promise<MissingRights[]> {
  const table = quoteTable(mysqlDialect, need.table);
  const columns = need.read.map(quoteMysqlName).join(', ') || '1';
  const sets = need.written.map((column) => `${quoteMysqlName(column)} = NULL`).join(', ');
  const may = (sql: string) => isAllowed(read, sql);
  const missing = [
    ...((await may(`SELECT ${columns} FROM ${table} WHERE 1 = 0`)) ? [] : ['SELECT']),
    ...(!need.isDeleted || (await may(`DELETE FROM ${table} WHERE 1 = 0`)) ? [] : ['DELETE']),
    ...(need.written.length === 0 || (await may(`UPDATE ${table} SET ${sets} WHERE 1 = 0`))
      ? []
      : [`UPDATE (${need.written.map((column) => writeName(mysqlDialect, column)).join(', ')})`]),
  ];
  if (missing.length === 0) return [];
  const grant = `GRANT ${missing.join(', ')} ON ${writeTable(mysqlDialect, need.table)} TO ${account}`;
  return [{ table: need.table, grant }];
}

/** An account that may read everything sees the table, and is not thereby allowed to write its transactions there. */
async function checkTransactionTable(read: Read, { account }: Granted): Promise<MissingRights[]> {
  const { table } = mysqlTransactions;
  const [found] = await read(TRANSACTION_TABLE_SEEN, [TRANSACTION_TABLE]);
  if (table === null || found === undefined) return [];
  const named = `number = ''`;
  const needed = [
    `SELECT number FROM ${TRANSACTION_TABLE} WHERE ${named}`,
    `INSERT INTO ${TRANSACTION_TABLE} (number, began) VALUES ('', 0)`,
    `DELETE FROM ${TRANSACTION_TABLE} WHERE ${named}`,
  ];
  for (const sql of needed)
    if (!(await isAllowed(read, sql)))
      return [{ table: TRANSACTION_TABLE, grant: `${table.grant} TO ${account}` }];
  return [];
}

async function isAllowed(read: Read, sql: string): Promise<boolean> {
  try {
    await read(`EXPLAIN ${sql}`, [], sql.startsWith('SELECT') ? 'read' : 'write');
    return true;
  } catch (error) {
    if (isDenied(error)) return false;
    throw error;
  }
}

function checkBeyond(needed: readonly string[], granted: Granted): CheckLine[] {
  const { account, current } = granted;
  const changes = (rights: readonly string[]) => CHANGES.filter((right) => rights.includes(right));
  const everywhere = changes(granted.global);
  const schemas = [...granted.schemas].filter(([, rights]) => changes(rights).length > 0);
  const named = new Set(
    needed.map((table) => {
      const { schema, name } = splitTableName(table);
      return granted.keyOf(schema ?? current, name);
    }),
  );
  const tables = [...granted.tables]
    .filter(([table, rights]) => !named.has(table) && changes(rights).length > 0)
    .map(([table]) => table);
  return [
    ...(everywhere.length > 0
      ? [
          warning(
            'account',
            `${account} has ${listNames(everywhere, 8)} on the whole server; give Unwrite an account with rights on the tables of the plan only`,
          ),
        ]
      : []),
    ...schemas.map(([schema, rights]) =>
      warning(
        'account',
        `${account} has ${listNames(changes(rights), 8)} on every table of ${schema}; grant them on the tables of the plan only`,
      ),
    ),
    ...(tables.length > 0
      ? [
          warning(
            'account',
            `${account} may also change ${listNames(tables)}, which the plan does not name; revoke what is not needed`,
          ),
        ]
      : []),
  ];
}
