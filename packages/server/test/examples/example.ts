// One of the worked examples of docs/targets.md: a schema, the rows of a person and of others, and what is
// to be left. The plan itself stands in the page alone, so what is run here is what operators copy.
import { readFileSync } from 'node:fs';

export interface Example {
  /** The folder with schema.sql, others.sql and person.sql. */
  readonly folder: string;
  /** The heading in docs/targets.md; the plan is the first block of YAML below it. */
  readonly heading: string;
  readonly database: 'PostgreSQL' | 'MariaDB' | 'SQLite';
  /** In place of the page's acme, so that examples can share a server. */
  readonly controller: string;
  readonly identities: readonly [type: string, value: string][];
  /** Texts that say who the person is, in small letters. None may be left in any column of any table. */
  readonly traces: readonly string[];
  /** Rows of the person that stay, as they are afterwards, in the order of their first columns. */
  readonly left?: Readonly<Record<string, readonly object[]>>;
  /** Tables whose rows of the person stay as they are, because the plan says so. */
  readonly kept?: readonly string[];
}

const CONNECTORS = { PostgreSQL: 'postgres', MariaDB: 'mysql', SQLite: 'sqlite' };

const page = readFileSync(new URL('../../../../docs/targets.md', import.meta.url), 'utf8');

/** The target that the page shows, as it stands there but for the controller and the database. */
export function planOf({ heading, controller, database, folder }: Example): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`docs/targets.md has no heading "${heading}"`);
  const end = page.indexOf('\n## ', start + 1);
  const [, yaml] = /^```yaml\ntargets:\n([^`]*)^```$/m.exec(page.slice(start, end)) ?? [];
  if (yaml === undefined) throw new Error(`docs/targets.md has no target below "${heading}"`);
  const address = `connector: ${CONNECTORS[database]}\n    ${addressOf(database, folder)}`;
  return yaml
    .replace(/connector: \w+\n {4}(?:url|file): \S+/, address)
    .replaceAll(/\bacme\b/g, controller);
}

function addressOf(database: Example['database'], folder: string): string {
  return database === 'SQLite' ? `file: ./${folder}.db` : `url: \${${variableOf(folder)}}`;
}

/** The environment's variable with the address of the server. */
export function variableOf(folder: string): string {
  return `${folder.toUpperCase()}_DATABASE_URL`;
}

export function readSql({ folder }: Example, file: 'schema' | 'others' | 'person'): string {
  return readFileSync(new URL(`${folder}/${file}.sql`, import.meta.url), 'utf8');
}
