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
  readonly target: SuggestedTarget;
  /** What is said about a table that is in the plan: the comments above it and in it. */
  commentsOn(table: string): string;
  /** What is said about one that is not. */
  remarkOn(table: string): string | undefined;
}

export async function suggestFor(database: SqlTestDatabase): Promise<Suggested> {
  const { connector } = database;
  const opened = openSqlDatabase(aTarget(database, tablesWork([])));
  const target = { name: 'app', connector, address: 'file: ./app.db', tenancy: [] };
  const text = await suggestTarget(opened, SQL_DIALECTS[connector], target).finally(() =>
    opened.close(),
  );
  // As a person reads it: what is folded is one line.
  const unfolded = text.replaceAll(/\n *# {3}(?! )(?!- )/g, ' ');
  return {
    text,
    target: (parse(text) as { targets: { app: SuggestedTarget } }).targets.app,
    commentsOn(table) {
      const lines = unfolded.split('\n');
      const at = lines.indexOf(`      - table: ${table}`);
      const from = lines.findLastIndex((line, i) => i < at && !line.startsWith('      #')) + 1;
      const rest = lines.slice(at + 1);
      const to = rest.findIndex((line) => !line.startsWith('        '));
      const own = rest.slice(0, to === -1 ? rest.length : to);
      return [...lines.slice(from, at), ...own]
        .filter((line) => line.trimStart().startsWith('#'))
        .map((line) => line.trim())
        .join('\n');
    },
    remarkOn: (table) => new RegExp(`^ {4}# (?:\\? )?${table}: (.*)$`, 'm').exec(unfolded)?.[1],
  };
}

/** The problems of the plan once somebody has read it, and said that rows are not told apart. */
export async function checkEdited(database: SqlTestDatabase, text: string): Promise<string[]> {
  const field = database.connector === 'sqlite' ? 'file' : 'url';
  const edited = text
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
