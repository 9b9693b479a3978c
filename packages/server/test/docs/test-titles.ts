// Full names of the tests in a source text, as they stand there: `describe > it`, with the %s of
// it.each. Relies on the formatter for indentation. What is skipped is not found.

const CALL = /^( *)(describe|it)((?:\.(?:concurrent|sequential))*)(\.each)?\(/gm;
const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

export function testTitles(source: string): string[] {
  const titles: string[] = [];
  const open: { indent: number; title: string }[] = [];
  for (const match of source.matchAll(CALL)) {
    const indent = match[1]?.length ?? 0;
    let place = match.index + match[0].length;
    // The table of it.each comes first, and the title in the brackets after it.
    if (match[4] !== undefined) place = skipPast(source, place, ')') + 1;
    const title = readString(source, place);
    if (title === undefined) continue;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    if (match[2] === 'describe') open.push({ indent, title });
    else titles.push([...open.map((suite) => suite.title), title].join(' > '));
  }
  return titles;
}

/** The place after the bracket that closes what is open at `place`. */
function skipPast(source: string, place: number, closing: string): number {
  let i = place;
  while (i < source.length && source[i] !== closing) {
    const character = source[i] ?? '';
    const inner = PAIRS[character];
    if (inner !== undefined) i = skipPast(source, i + 1, inner);
    else if (/['"`]/.test(character)) i = endOfString(source, i) + 1;
    else i++;
  }
  return i + 1;
}

function endOfString(source: string, start: number): number {
  let i = start + 1;
  while (i < source.length && source[i] !== source[start]) i += source[i] === '\\' ? 2 : 1;
  return i;
}

function readString(source: string, place: number): string | undefined {
  const start = place + (/^\s*/.exec(source.slice(place))?.[0].length ?? 0);
  if (!/['"`]/.test(source[start] ?? '')) return undefined;
  return source.slice(start + 1, endOfString(source, start)).replaceAll(/\\(.)/g, '$1');
}
