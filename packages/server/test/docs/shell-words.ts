// Lines of shell as words: quotes, comments, continued lines and `> file`, which is all that the pages use. What is
// optional, `[--target shop]`, is taken as given.

export interface ShellLine {
  readonly words: readonly string[];
  /** `> file` */
  readonly into: string | undefined;
}

const WORD = /"([^"]*)"|'([^']*)'|(>)|((?:<[\w-]+>|[^\s"'>])+)/g;

/** `A=1 npx unwrite …` keeps its assignment as a word. */
export function shellLines(text: string): ShellLine[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map(shellLine)
    .filter(({ words }) => words.length > 0);
}

export function shellLine(line: string): ShellLine {
  const words: string[] = [];
  let into: string | undefined;
  let isRedirected = false;
  for (const [, double, single, redirect, bare] of line.matchAll(WORD)) {
    if (redirect !== undefined) {
      isRedirected = true;
      continue;
    }
    if (bare?.startsWith('#')) break;
    const word = double ?? single ?? (bare ?? '').replaceAll(/^\[|\]$/g, '');
    if (isRedirected) into = word;
    else words.push(word);
    isRedirected = false;
  }
  return { words, into };
}

/** The words after `npx unwrite`; undefined for any other command. */
export function unwriteArgs({ words }: ShellLine): readonly string[] | undefined {
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const [first, second] = words.slice(start);
  return first === 'npx' && second === 'unwrite' ? words.slice(start + 2) : undefined;
}
