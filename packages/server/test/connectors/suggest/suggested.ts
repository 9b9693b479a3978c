// A first plan of a real database: as it is printed, and as it would be read.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/config/config.ts';
import { openSqlDatabase, SQL_DIALECTS } from '../../../src/connectors/sql/create-sql-connector.ts';
import { suggestTarget } from '../../../src/connectors/sql/suggest/suggest-target.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import type { SqlTestDatabase } from '../sql/sql-databases.ts';
import { aTarget, connect, tablesWork } from '../sql/sql-target.ts';

export interface SuggestedTarget {
  readonly draft: boolean;
  readonly tenant_column?: string;
  readonly detach?: readonly string[];
  readonly tables: readonly Record<string, unknown>[];
}

export interface Suggested {
  readonly text: string;
  /** With everything in it that is asked, as if all questions were answered with yes. */
  readonly target: SuggestedTarget;
  /** The tables that are in the plan without a question. */
  readonly certain: readonly string[];
  /** What is said about a table that is in the plan: above it, and in questions. */
  commentsOn(table: string): string;
  /** What is said about one that is not. */
  remarkOn(table: string): string | undefined;
}

export const NOTHING_GIVEN = { tenancy: [], tenantColumn: null };

export async function suggestFor(
  database: SqlTestDatabase,
  given: { tenancy: readonly string[]; tenantColumn: string | null } = NOTHING_GIVEN,
): Promise<Suggested> {
  const { connector } = database;
  const opened = openSqlDatabase(aTarget(database, tablesWork([])));
  const target = { name: 'app', connector, address: 'file: ./app.db', ...given };
  const text = await suggestTarget(opened, SQL_DIALECTS[connector], target).finally(() =>
    opened.close(),
  );
  const read = (yaml: string) => (parse(yaml) as { targets: { app: SuggestedTarget } }).targets.app;
  const all = answered(text);
  // As a person reads it: what is folded is one line.
  const lines = all
    .replaceAll(/\n *# {3,}(?! *- )(?! *(?:where|via|shared):)/g, ' ')
    .replaceAll(/(?<=\n {6}# .*)\n {6}# /g, ' ')
    .split('\n');
  const asked = (table: string) =>
    lines.flatMap((line, i) =>
      /^ {4}# \? \d+\. /.test(line) && new RegExp(`[ (]${table}(?=[ :,;?)])`).test(line)
        ? [line, ...examplesAfter(lines, i)]
        : [],
    );
  return {
    text,
    target: read(all),
    certain: (read(text).tables ?? []).map(({ table }) => String(table)),
    commentsOn(table) {
      const at = lines.indexOf(`      - table: ${table}`);
      const from = lines.findLastIndex((line, i) => i < at && !line.startsWith('      #')) + 1;
      return [...lines.slice(from, at), ...asked(table)].map((line) => line.trim()).join('\n');
    },
    remarkOn: (table) => {
      const left = lines.find((line) => line.startsWith(`    # ${table}: `));
      const told = [...(left === undefined ? [] : [left]), ...asked(table)];
      return told.length === 0 ? undefined : told.join('\n');
    },
  };
}

/** As if all questions were answered with yes. */
const answered = (text: string): string => text.replaceAll(/^( *)#\d+ /gm, '$1');

function examplesAfter(lines: readonly string[], at: number): string[] {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^ {4}# {6}/.test(line));
  return rest.slice(0, end === -1 ? rest.length : end);
}

/** The problems of the plan once somebody has read it, and said that rows are not told apart. */
export async function checkEdited(database: SqlTestDatabase, text: string): Promise<string[]> {
  const field = database.connector === 'sqlite' ? 'file' : 'url';
  const edited = answered(text)
    .replace(/^ *draft: .*\n/m, '')
    .replace('# tenancy: none', 'tenancy: none')
    .replace('file: ./app.db', `${field}: ${database.address}`);
  const folder = makeTemporaryFolder();
  try {
    writeFileSync(join(folder.path, 'unwrite.config.yaml'), edited);
    const [target] = loadConfig({}, {}, folder.path).config.targets;
    if (target === undefined || !('work' in target)) throw new Error('it is no SQL target');
    const connector = connect(target);
    const lines = await connector.check().finally(() => connector.close());
    return lines
      .filter(({ level }) => level === 'problem')
      .map(({ subject, message }) => `${subject}: ${message}`);
  } finally {
    folder.remove();
  }
}
