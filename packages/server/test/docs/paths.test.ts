// Files move, and prose does not follow by itself: every path that the documents name must exist.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCE = 'packages/server/src';
/** What a path may begin in, beside the document's own folder. */
const BASES = ['.', 'packages', 'packages/server', SOURCE];
const FILE = /^[\w@./-]*[\w-]\.(?:ts|mjs|js|sql|md|json)$/;
const FOLDER = /^(?:[\w@.-]+\/)+$/;

const slashed = (path: string) => path.replaceAll('\\', '/');
const files = globSync('{packages,docs,scripts,bench,demo,examples}/**/*.*', {
  cwd: ROOT,
  exclude: (name) => name === 'node_modules',
}).map(slashed);
const all = [...files, ...globSync('*.*', { cwd: ROOT })];
const folders = new Set(all.flatMap(foldersAbove));

function foldersAbove(path: string): string[] {
  const above = posix.dirname(path);
  return above === '.' ? [] : [above, ...foldersAbove(above)];
}

/** A name alone, or the end of a path, stands where the sentence has named the folder. */
function isThere(path: string, document: string): boolean {
  const from = [...BASES, slashed(dirname(document))];
  if (path.endsWith('/')) {
    const name = path.slice(0, -1);
    return (
      from.some((base) => folders.has(posix.join(base, name))) ||
      [...folders].some((folder) => folder.endsWith(`/${name}`))
    );
  }
  return (
    from.some((base) => all.includes(posix.join(base, path))) ||
    files.some((file) => file.endsWith(`/${path}`))
  );
}

function missingIn(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const named = [...text.matchAll(/`([^`\n]+)`/g)].map(([, it = '']) => it);
  return named
    .filter((it) => FILE.test(it) || FOLDER.test(it))
    .filter((it) => !isThere(it, document));
}

const documents = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...files.filter((file) => /^docs\/adr\/.*\.md$|^packages\/.*\/README\.md$/.test(file)),
];

describe('paths in the documents', () => {
  it.each(documents)('%s names files and folders that exist', (document) => {
    expect(missingIn(document)).toEqual([]);
  });

  it('every folder of the sources opens with a README, which ARCHITECTURE.md lists', () => {
    const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const opened = readdirSync(join(ROOT, SOURCE), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    expect(opened).toContain('domain');
    expect(opened.filter((name) => !files.includes(`${SOURCE}/${name}/README.md`))).toEqual([]);
    expect(opened.filter((name) => !architecture.includes(`      ${name}/ `))).toEqual([]);
  });
});
