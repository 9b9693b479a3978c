// Configuration files as fast-check makes them: the examples of the documents, changed in their text and in their
// structure, and YAML that nobody would write.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { SETTING_KEYS, SETTINGS } from '../../src/config/settings.ts';

const DOCS = new URL('../../../../docs/', import.meta.url);

/** Every YAML block of the documents that is a mapping. */
const EXAMPLES: readonly string[] = readdirSync(DOCS)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => [
    ...readFileSync(new URL(name, DOCS), 'utf8').matchAll(/^```ya?ml\n([\s\S]*?)^```/gm),
  ])
  .map(([, text = '']) => text)
  .filter((text) => isMapping(text));

function isMapping(text: string): boolean {
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const NAMES = SETTING_KEYS.map((key) => SETTINGS[key].name);

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    '',
    ' ',
    'off',
    '1s',
    '99999999999d',
    '*',
    ['$', '{X}'].join(''),
    ['$', '{'].join(''),
    'postgres://',
    'http://[',
    'file:///',
    '__proto__',
    'constructor',
    '\u0000',
    '\u202e',
    '😀',
  ),
  fc.string({ maxLength: 20 }),
  fc.integer(),
);
const anything: fc.Arbitrary<unknown> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.oneof(fc.constantFrom('table', 'match', 'via', 'url'), fc.string()), scalar, {
    maxKeys: 3,
  }),
);

/** An example with one of its values replaced, removed or given another name, some times. */
const changedStructure = fc
  .tuple(
    fc.constantFrom(...EXAMPLES),
    fc.array(fc.tuple(fc.nat(), anything, fc.constantFrom('set', 'remove', 'rename', 'nest')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([text, changes]) => {
    const root = parse(text) as Record<string, unknown>;
    for (const [place, value, how] of changes) change(root, place, value, how);
    return stringify(root);
  });

type Holder = Record<string, unknown>;

function change(root: Holder, place: number, value: unknown, how: string): void {
  const places: [Holder, string][] = [];
  const walk = (holder: Holder) => {
    for (const key of Object.keys(holder)) {
      places.push([holder, key]);
      const inner = holder[key];
      if (typeof inner === 'object' && inner !== null) walk(inner as Holder);
    }
  };
  walk(root);
  const found = places[place % Math.max(1, places.length)];
  if (found === undefined) return;
  const [holder, key] = found;
  const old = holder[key];
  if (how === 'set') holder[key] = value;
  else if (how === 'nest') holder[key] = { [key]: old, more: value };
  else delete holder[key];
  if (how === 'rename' && !Array.isArray(holder)) holder[JSON.stringify(value) ?? 'x'] = old;
}

/** An example with some of its text cut out or overwritten. */
const changedText = fc
  .tuple(
    fc.constantFrom(...EXAMPLES),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat(4),
        fc.oneof(
          fc.constantFrom('&a ', '*a', '!!js/function x', '---\n', '...', '? ', ': ', '- ', '\t'),
          fc.constantFrom('|\n', '>', "'", '"', '{', '}', '[', ']', '#', '%', '@', '<<: *a', '\0'),
          fc.string({ unit: 'binary', maxLength: 4 }),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, cuts]) =>
    cuts.reduce((all, [place, length, insert]) => {
      const at = place % (all.length + 1);
      return all.slice(0, at) + insert + all.slice(at + length);
    }, text),
  );

const generated = fc
  .dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string()), anything, { maxKeys: 8 })
  .map((settings) => stringify(settings));

/** Depth, and aliases that repeat each other. */
const deep = fc
  .tuple(fc.nat(4000), fc.constantFrom('[', '{a: ', '- ', '? ', '&a [*a, '))
  .map(([depth, open]) => `targets: ${open.repeat(depth)}`);
const aliases = fc
  .nat(40)
  .map((depth) =>
    Array.from(
      { length: depth },
      (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1}, *a${n - 1}, *a${n - 1}`}]`,
    ).join('\n'),
  );

export const generatedConfig: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: changedStructure },
  { weight: 6, arbitrary: changedText },
  { weight: 4, arbitrary: generated },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: aliases },
);
