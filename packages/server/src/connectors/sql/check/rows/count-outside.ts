// Counts rows that no entry of the plan covers, and values that cannot be read: the catalogue does not tell.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import { readWhereText } from '../../find/where-rows.ts';
import type { Plan, PlannedMatch, PlannedTable } from '../../plan/plan.ts';
import { fitsWhere, type PlannedWhere, whereName } from '../../plan/where-values.ts';
import { SqlFailure, type SqlRow } from '../../session.ts';
import { textAt } from '../../statement.ts';
import type { CheckContext } from '../check-context.ts';
import { listNames, note, warning } from '../line.ts';
import { countEncoded } from './count-encoded.ts';

export async function countOutside(
  context: CheckContext,
  plan: Plan,
  refused: ReadonlySet<string>,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const sound = plan.tables.filter(({ table }) => !refused.has(table));
  for (const [table, entries] of Map.groupBy(sound, (entry) => entry.table)) {
    try {
      lines.push(...(await countOtherValues(context, table, entries)));
      lines.push(...(await countUnreadable(context, table, entries)));
      lines.push(...(await countEncoded(context, table, entries)));
    } catch (error) {
      // A large table may take longer than a statement is allowed to.
      if (!(error instanceof SqlFailure)) throw error;
      lines.push(note(table, `its values could not be counted: ${error.message} (${error.code})`));
    }
  }
  return lines;
}

/** How programs name the kinds of their records: Invoice, App\\Models\\User, ActiveStorage::Blob. */
const KIND = /^[A-Za-z][A-Za-z_:\\.-]{0,80}$/;

/** A column with more values than this does not name kinds of rows. */
const MAX_VALUES = 200;

async function countOtherValues(
  { read, dialect, probe }: CheckContext,
  table: string,
  entries: readonly PlannedTable[],
): Promise<CheckLine[]> {
  const [first] = entries;
  const names = first?.where.map(whereName) ?? [];
  const lines: CheckLine[] = [];
  for (const name of names) {
    const wheres = entries.flatMap(({ where }) => where.filter((one) => whereName(one) === name));
    const [where] = wheres;
    // An entry without the column covers all its values.
    if (first === undefined || where === undefined || wheres.length < entries.length) continue;
    const text = readWhereText(dialect, where);
    // Compared exactly, as rows are found: values that a collation treats as equal are counted separately.
    const rows = await read(
      `SELECT min(${text}) AS v, count(*) AS n FROM ${first.sqlName} GROUP BY ${text} IS NULL, ${probe.toTheLetter(text)} LIMIT ${MAX_VALUES}`,
    );
    const others = rows.filter((row) => {
      const text = textAt(row, 'v');
      return !wheres.some((where) => fitsWhere(where, text));
    });
    lines.push(...warnOfNear(table, name, others, wheres));
    if (others.length === 0) continue;
    const count = others.reduce((sum, row) => sum + Number(row.n), 0);
    // Names of kinds are shown; a value that could be a person's, such as a number or an address, is not.
    const isKind =
      wheres.every(({ texts }) => texts.size > 0) &&
      rows.length < MAX_VALUES &&
      others.every((row) => KIND.test(textAt(row, 'v') ?? 'NULL'));
    const shown = listNames(others.map((row) => `${textAt(row, 'v') ?? 'NULL'} (${row.n})`));
    lines.push(
      note(
        table,
        `has ${count} rows with other values of "${name}" than any "where" names${isKind ? `: ${shown}` : ''}; they are no part of the plan, so list them too where they can be a person's`,
      ),
    );
  }
  return lines;
}

/** Values that the application may treat as one of the named values. */
function warnOfNear(
  table: string,
  name: string,
  others: readonly SqlRow[],
  wheres: readonly PlannedWhere[],
): CheckLine[] {
  // Values under `not` are left out on purpose, and what is merely like them is in the plan.
  const wanted = wheres.filter(({ isNot }) => !isNot);
  const named = new Set(wanted.flatMap(({ texts }) => [...texts].map(folded)));
  const near = others.filter((row) => named.has(folded(textAt(row, 'v') ?? '')));
  if (near.length === 0) return [];
  const shown = listNames(near.map((row) => `"${textAt(row, 'v')}" (${row.n})`));
  return [
    warning(
      table,
      `has rows whose "${name}" differs from a value of "where" in case, accents or blanks alone: ${shown}; they are no part of the plan, so list them too, or correct them`,
    ),
  ];
}

function folded(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

async function countUnreadable(
  context: CheckContext,
  table: string,
  entries: readonly PlannedTable[],
): Promise<CheckLine[]> {
  // Documents that only the functions of the database refuse are parsed here.
  if (context.dialect.json.isEnsured) return [];
  const columns = new Map(
    entries.flatMap(({ matches, sqlName }) =>
      matches.filter(isInJson).map(({ column }) => [column.name, { column, sqlName }]),
    ),
  );
  const lines: CheckLine[] = [];
  for (const [name, { column, sqlName }] of columns) {
    const unreadable = context.dialect.isUnreadable(column);
    if (unreadable === null) continue;
    const [row] = await context.read(`SELECT count(*) AS n FROM ${sqlName} WHERE ${unreadable}`);
    const count = Number(row?.n ?? 0);
    if (count > 0)
      lines.push(
        warning(
          table,
          `${count} ${count === 1 ? 'row has' : 'rows have'} no JSON in "${name}" that can be read: a request is held where its identity stands in one; correct them`,
        ),
      );
  }
  return lines;
}

function isInJson({ path }: PlannedMatch): boolean {
  return path !== null;
}
