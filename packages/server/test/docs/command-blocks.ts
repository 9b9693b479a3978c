// The command blocks of README, CONTRIBUTING and docs. A block is run by run-commands.test.ts, unless a comment
// before it says that it is an example, and why, or which other test runs it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface CommandBlock {
  readonly page: string;
  readonly line: number;
  readonly text: string;
  /** `<!-- example: why -->` or `<!-- run by path -->`; undefined where this suite runs it. */
  readonly mark: { readonly kind: 'example' | 'run by'; readonly words: string } | undefined;
}

const BLOCK =
  /(?:^<!-- (example|run by):? ([^\n]+) -->\n\n?)?^( *)```(?:sh|bash|console|shell)\n(.*?)^\3```$/gms;

export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/*.md', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted(),
];

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

export function commandBlocks(page: string, source = readPage(page)): CommandBlock[] {
  return [...source.matchAll(BLOCK)].map(
    ({ 0: whole, 1: kind, 2: words, 4: text = '', index }) => ({
      page,
      line: source.slice(0, index + whole.indexOf('```')).split('\n').length,
      text,
      mark: kind === 'example' || kind === 'run by' ? { kind, words: words ?? '' } : undefined,
    }),
  );
}

/** `unwrite …` in running text. */
export function inlineCommands(source: string): string[] {
  const prose = source.replaceAll(/^ *```.*?^ *```$/gms, '');
  return [...prose.matchAll(/`(?:npx )?unwrite ([a-z-][^`]*)`/g)].map(([, command = '']) =>
    command.replaceAll(/\s+/g, ' '),
  );
}
