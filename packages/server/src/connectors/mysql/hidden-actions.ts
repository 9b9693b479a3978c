// MariaDB lists the foreign keys of a table that the account may only read, but hides what they do
// (REFERENTIAL_CONSTRAINTS). The statement that creates the table says it.
import { SqlFailure, type SqlRow, type SqlSession } from '../sql/session.ts';
import { isDenied } from './hidden-columns.ts';
import { quoteMysqlName } from './quote-name.ts';

/** The actions that could do the most, if the account may not know. */
const ANY = { onDelete: 'CASCADE', onUpdate: 'CASCADE' };

/** Undefined if the table has been dropped since the key was listed. */
export async function readHiddenAction(
  session: SqlSession,
  { tableSchema, tableName, name }: SqlRow,
): Promise<SqlRow | undefined> {
  try {
    const table = `${quoteMysqlName(tableSchema)}.${quoteMysqlName(tableName)}`;
    const [row] = (await session.query(`SHOW CREATE TABLE ${table}`)).rows;
    return actionIn(String(row?.['Create Table']), String(name));
  } catch (error) {
    if (isDenied(error)) return ANY;
    if (error instanceof SqlFailure && error.code === NO_TABLE) return undefined;
    throw error;
  }
}

const NO_TABLE = 'sql_1146';

// Each key has a line of its own: in texts of the table, such as comments, line breaks are escaped.
function actionIn(created: string, name: string): SqlRow {
  // The engine itself writes this line, without doubling the quotes in the name.
  const start = `CONSTRAINT \`${name}\` FOREIGN KEY (`;
  const line = created.split('\n').find((one) => one.trimStart().startsWith(start));
  if (line === undefined) return ANY;
  // Behind the names of the columns.
  const actions = line.slice(line.lastIndexOf(')'));
  const actionOn = (event: string) =>
    new RegExp(` ON ${event} (CASCADE|SET NULL|SET DEFAULT|NO ACTION|RESTRICT)`).exec(actions)?.[1];
  return {
    onDelete: actionOn('DELETE') ?? 'RESTRICT',
    onUpdate: actionOn('UPDATE') ?? 'RESTRICT',
  };
}
