// MariaDB lists the foreign keys of a table that the account may only read, but hides what they do
// (REFERENTIAL_CONSTRAINTS). The statement that creates the table says it.
import { isDeepStrictEqual } from 'node:util';
import { SqlFailure, type SqlRow, type SqlSession } from '../sql/session.ts';
import { isDenied } from './hidden-columns.ts';
import { quoteMysqlName } from './quote-name.ts';

interface HiddenAction extends SqlRow {
  readonly onDelete: string;
  readonly onUpdate: string;
}

/** The actions that could do the most, if the account may not know. */
const ANY: HiddenAction = { onDelete: 'CASCADE', onUpdate: 'CASCADE' };

/** Undefined if the table has been dropped since the key was listed. */
export async function readHiddenAction(
  session: SqlSession,
  { tableSchema, tableName, name }: SqlRow,
): Promise<HiddenAction | undefined> {
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

/**
 * Each key has a line of its own: in texts of the table, such as comments, line breaks are escaped. The engine
 * writes that line, and whether it doubles the quotes in a name depends on the server's version: the line of a key
 * is one that begins with either spelling. Where lines of two keys do, and differ, what is worse counts.
 */
export function actionIn(created: string, name: string): HiddenAction {
  const spellings = [`\`${name}\``, quoteMysqlName(name)].map(
    (quoted) => `CONSTRAINT ${quoted} FOREIGN KEY (`,
  );
  const lines = created
    .split('\n')
    .map((line) => line.trimStart())
    .filter((line) => spellings.some((start) => line.startsWith(start)));
  const [first = ANY, ...others] = lines.map(readActions);
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : ANY;
}

function readActions(line: string): HiddenAction {
  // Behind the names of the columns.
  const actions = line.slice(line.lastIndexOf(')'));
  const actionOn = (event: string) =>
    new RegExp(` ON ${event} (CASCADE|SET NULL|SET DEFAULT|NO ACTION|RESTRICT)`).exec(actions)?.[1];
  return {
    onDelete: actionOn('DELETE') ?? 'RESTRICT',
    onUpdate: actionOn('UPDATE') ?? 'RESTRICT',
  };
}
