// What operators copy from docs/targets.md must be right.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { CONNECTORS, namesFor } from '../../src/config/targets/targets-schema.ts';
import { useWrittenTargets } from '../config/targets/written-targets.ts';

const page = readFileSync(new URL('../../../../docs/targets.md', import.meta.url), 'utf8');
const { load, write } = useWrittenTargets();

const environment = {
  SHOP_DATABASE_URL: 'postgres://db/shop',
  LEGACY_URL: 'mysql://db/legacy',
  CRM_TOKEN: 'token',
};

/** The blocks that hold whole targets, and not parts of one. */
const examples = [...page.matchAll(/^```yaml\n([^`]*)^```$/gm)]
  .map(([, block = '']) => parse(block) as Record<string, unknown>)
  .map((block) => (block.targets ?? block) as Record<string, unknown>)
  .filter((block) => Object.values(block).every((it) => (it as { connector?: string }).connector));

describe('docs/targets.md', () => {
  it('has examples of targets', () => {
    expect(examples.flatMap((it) => Object.keys(it))).toEqual([
      'shop',
      'legacy',
      'crm',
      'files',
      'paper',
    ]);
  });

  it.each(examples)('has examples that are right: %o', (targets) => {
    write('files.ts', '');
    const file = stringify({ targets }).replace('./targets/files.ts', './files.ts');
    expect(load({ file, environment }).config.targets).toHaveLength(Object.keys(targets).length);
  });

  it('has every field in its table, and no other', () => {
    const table = page.slice(page.indexOf('## All fields'));
    const listed = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)])
      .map(([, name]) => name);
    const fields = new Set(CONNECTORS.flatMap(namesFor));
    expect(listed.toSorted()).toEqual([...fields].toSorted());
  });
});
