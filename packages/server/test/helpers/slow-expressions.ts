// Finds regular expressions whose time grows faster than their input: each is tried on texts made from its
// own parts, one of them repeated, with an end that does not match.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

interface FoundExpression {
  /** `packages/server/src/http/server.ts:97` */
  readonly place: string;
  readonly expression: RegExp;
}

interface SlowExpression extends FoundExpression {
  readonly prefix: string;
  readonly pump: string;
}

/** Of all literals in the sources below folders of this repository. */
export function slowExpressionsIn(...folders: readonly string[]): SlowExpression[] {
  const expressions = folders.flatMap((folder) => expressionsIn(join(ROOT, folder)));
  if (expressions.length === 0) throw new Error('there is no regular expression');
  return expressions.flatMap((found) => slowness(found) ?? []);
}

function expressionsIn(folder: string): FoundExpression[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => expressionsOf(join(folder, file)));
}

function expressionsOf(file: string): FoundExpression[] {
  const source = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: FoundExpression[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const line = source.slice(0, node.start).split('\n').length;
      const { pattern, flags } = node.regex;
      found.push({ place: `${file}:${line}`, expression: new RegExp(pattern, flags) });
    },
  }).visit(program);
  return found;
}

const SIZES = [20, 300, 3000];
/** A linear one needs some 20 µs for the longest text; a quadratic one more than ten milliseconds. */
const SUSPECT_MS = 2;
/** What a pattern with many choices has in front of the later ones is no beginning of any text. */
const MAX_PREFIXES = 24;
const ENDS = ['\0', '!'];

export function slowness({ place, expression }: FoundExpression): SlowExpression | undefined {
  if (!mayBeSlow(expression.source)) return undefined;
  const parts = partsOf(expression.source);
  const pumps = new Set([...parts, ' ', 'a', '0', ...parts.slice(1).map((it, i) => parts[i] + it)]);
  const prefixes = new Set(parts.slice(0, MAX_PREFIXES).map((_, i) => parts.slice(0, i).join('')));
  prefixes.add('');
  for (const prefix of prefixes) {
    for (const pump of pumps) {
      for (const end of ENDS) {
        const text = (size: number) => prefix + pump.repeat(size) + end;
        if (isSlow(expression, text)) return { place, expression, prefix, pump };
      }
    }
  }
  return undefined;
}

/** What repeats nothing without a limit is not, nor what starts at one place and repeats once. */
function mayBeSlow(pattern: string): boolean {
  const unlimited = pattern.match(/(?<!\\)[*+]|\{\d+,\}/g)?.length ?? 0;
  const startsOnce = pattern.startsWith('^') && !pattern.includes('|');
  return unlimited > (startsOnce ? 1 : 0);
}

/** From short to long, so that a cubic or exponential one is found before it takes for ever. */
function isSlow(expression: RegExp, text: (size: number) => string): boolean {
  for (const size of SIZES) {
    if (timeOf(expression, text(size)) < SUSPECT_MS) continue;
    // The machine may have been busy: only what is slow again and again counts.
    const again = [1, 2, 3, 4].map(() => timeOf(expression, text(size)));
    if (Math.min(...again) >= SUSPECT_MS) return true;
  }
  return false;
}

function timeOf(expression: RegExp, text: string): number {
  expression.lastIndex = 0;
  const started = performance.now();
  expression.test(text);
  return performance.now() - started;
}

/** One character for each part of a pattern that matches one, in order; groups and choices are flattened. */
function partsOf(pattern: string): string[] {
  const parts: string[] = [];
  const token =
    /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u.{4}|x..|.)|\[(?:\\.|[^\]\\])*\]|[{]\d+,?\d*\}|\(\?<?[:=!]|./gsu;
  for (const [text] of pattern.matchAll(token)) {
    if (/^[\\[.]/.test(text)) parts.push(...samplesOf(text));
    else if (!/^[{()|^$*+?]/.test(text)) parts.push(text);
  }
  return parts;
}

const CANDIDATES = [
  ' ',
  'a',
  'A',
  '0',
  '-',
  '.',
  '/',
  '\t',
  '\n',
  '"',
  "'",
  '_',
  ':',
  '\0',
  '\u00e9',
];

/** What a class or an escape matches, of the usual characters; at most two. */
function samplesOf(part: string): string[] {
  try {
    const one = new RegExp(
      `^(?:${part})$`,
      part.includes('\\p') || part.includes('\\P') ? 'u' : '',
    );
    return CANDIDATES.filter((it) => one.test(it)).slice(0, 2);
  } catch {
    return [];
  }
}
