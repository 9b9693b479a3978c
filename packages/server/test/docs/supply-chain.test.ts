import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const document = read('docs/supply-chain.md');
const [, production = '', development = ''] = document.split(/^## (?:Production|Development)$/m);

interface Package {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly overrides?: Record<string, string>;
}
const packages = [
  'package.json',
  'packages/client/package.json',
  'packages/console/package.json',
  'packages/opendsr/package.json',
  'packages/protocol/package.json',
  'packages/server/package.json',
]
  .map(read)
  .map((text) => JSON.parse(text) as Package);

/** The first cell of every row of the tables. */
function rowsOf(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)` *\|/gm)].map(([, name = '']) => name).sort();
}

function namesOf(...kinds: (keyof Package)[]): string[] {
  const all = packages.flatMap((it) => kinds.flatMap((kind) => Object.keys(it[kind] ?? {})));
  return [...new Set(all)].sort();
}

describe('docs/supply-chain.md', () => {
  it('says why each package of production is here, and names no other', () => {
    expect(rowsOf(production)).toEqual(namesOf('dependencies', 'optionalDependencies'));
  });

  it('says why each package of development is here, and names no other', () => {
    expect(rowsOf(development)).toEqual(namesOf('devDependencies'));
  });

  it('names what is held at a version', () => {
    for (const name of namesOf('overrides')) expect(development).toContain(`\`${name}\``);
  });

  it('gives a reason in every row', () => {
    const reasons = [...document.matchAll(/^\| `[^`]+` *\| *([^|]*?) *\|/gm)].map(([, it]) => it);
    expect(reasons.length).toBeGreaterThan(25);
    for (const reason of reasons) expect(reason?.length).toBeGreaterThan(4);
  });
});
