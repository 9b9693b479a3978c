// Pages and headings are renamed; every link between them, and every page that a message of ours names, must exist.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './command-blocks.ts';

const documents = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT });
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const withoutBlocks = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');

function headingsOf(path: string): string[] {
  return [...withoutBlocks(read(path)).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text);
}

/** As GitHub makes them. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** What `link`, written in `document`, does not find. */
function problemOf(document: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, target))) return `${document}: there is no ${target}`;
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  return headingsOf(target).some((heading) => anchorOf(heading) === anchor)
    ? undefined
    : `${document}: ${target} has no heading for #${anchor}`;
}

it('links lead to files and headings that exist', () => {
  const links = documents.flatMap((document) =>
    [...withoutBlocks(read(document)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => ({ document, link }))
      .filter(({ link }) => !/^[a-z]+:/.test(link)),
  );
  expect(links.length).toBeGreaterThan(200);
  expect(links.flatMap(({ document, link }) => problemOf(document, link) ?? [])).toEqual([]);
});

it('messages name pages and headings that exist', () => {
  const sources = globSync('packages/server/src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
  const named = [...sources.matchAll(/docs\/([\w-]+\.md)(?:, "([^"]+)")?/g)];
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(([, page = '', heading]) => {
    const path = join('docs', page);
    if (!existsSync(join(ROOT, path))) return true;
    return heading !== undefined && !headingsOf(path).includes(heading);
  });
  expect(missing.map(([name]) => name)).toEqual([]);
});

it('the handbook lists every page', () => {
  const pages = globSync('docs/*.md', { cwd: ROOT }).map((path) => basename(path));
  const listed = [...read('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(
    ([, page]) => page,
  );
  expect([...listed, 'README.md'].toSorted()).toEqual(pages.toSorted());
});
