// What operators copy from the pages about targets must be right.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { databaseTarget } from '../../src/config/targets/sql/sql-schema.ts';
import { CONNECTORS, namesFor } from '../../src/config/targets/targets-schema.ts';
import { useWrittenTargets } from '../config/targets/written-targets.ts';
import { EXAMPLES } from '../examples/all-examples.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
const page = read('targets.md');
const details = read('targets-reference.md');
const { load, write } = useWrittenTargets();

const environment = {
  ...Object.fromEntries(
    [
      'SHOP',
      'APP',
      'FORUM',
      'CRM',
      'DJANGO',
      'RAILS',
      'WAREHOUSE',
      'PROFILES',
      'CHATWOOT',
      'CALCOM',
      'FORMBRICKS',
    ].map((name) => [`${name}_DATABASE_URL`, `postgres://db/${name}`]),
  ),
  WORDPRESS_DATABASE_URL: 'mysql://db/wordpress',
  LEGACY_URL: 'mysql://db/legacy',
  CRM_TOKEN: 'token',
};

/** The blocks that hold whole targets, and not parts of one. */
const targetsIn = (text: string) =>
  [...text.matchAll(/^```yaml\n([^`]*)^```$/gm)]
    .map(([, block = '']) => parse(block) as Record<string, unknown>)
    .map((block) => (block.targets ?? block) as Record<string, unknown>)
    .filter((block) => Object.values(block).every((it) => (it as Target)?.connector));

interface Target {
  readonly connector?: string;
}

describe('docs/targets.md and docs/targets-reference.md', () => {
  it('have examples of targets', () => {
    const names = (text: string) => targetsIn(text).flatMap((it) => Object.keys(it));
    expect(names(page)).toHaveLength(EXAMPLES.length);
    expect(names(details)).toEqual(['legacy', 'crm', 'files', 'paper']);
  });

  it('have no worked example that is not run by a test', () => {
    const headings = [...page.matchAll(/^## (\d+\. .*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(EXAMPLES.map(({ heading }) => heading));
  });

  it.each([...targetsIn(page), ...targetsIn(details)])(
    'have targets that are right: %o',
    (targets) => {
      write('files.ts', '');
      const file = stringify({ targets }).replace('./targets/files.ts', './files.ts');
      expect(load({ file, environment }).config.targets).toHaveLength(Object.keys(targets).length);
    },
  );

  it('have every field in the table of the first, and no other', () => {
    const listed = rowsUnder('## All fields').flatMap((cell) =>
      [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
    );
    const fields = new Set(CONNECTORS.flatMap(namesFor));
    expect(listed.toSorted()).toEqual([...fields].toSorted());
  });

  it('have every field of a table in the table of the first, and no other', () => {
    const listed = rowsUnder('Fields of a table:').slice(1);
    const { tables } = databaseTarget('sqlite').properties as Record<string, TablesSchema>;
    expect(listed.toSorted()).toEqual(Object.keys(tables?.items.properties ?? {}).toSorted());
  });
});

interface TablesSchema {
  readonly items: { readonly properties: object };
}

/** The first cells of the next table. */
function rowsUnder(heading: string): string[] {
  const [, table = ''] = page.slice(page.indexOf(heading)).split(/\n\n/);
  const cells = table.split('\n').map((line) => line.split('|')[1]?.trim() ?? '');
  return cells.filter((cell) => !cell.startsWith('--'));
}
