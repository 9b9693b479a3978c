// The values that a column is overwritten with: a constant, a hash, a text that is unique for each row, the time, or
// parts of its JSON.
import { isObject } from '../../../domain/is-object.ts';
import { EACH, isWithin, readJsonPath } from '../../../domain/target/json-path.ts';
import { type JsonChange, type Overwrite, RANDOM } from '../../../domain/target/target.ts';
import { BadValue, type PlainKind } from '../../setting.ts';

const LITERAL = { type: ['null', 'string', 'number', 'boolean'] };

export const overwrite: PlainKind<Overwrite> = {
  schema: {
    oneOf: [
      LITERAL,
      only('hash', { const: true }),
      only('unique', { type: 'string', pattern: '\\{random\\}' }),
      only('now', { const: true }),
      only('json', {
        type: 'object',
        minProperties: 1,
        additionalProperties: { oneOf: [LITERAL, only('remove', { const: true })] },
      }),
    ],
  },
  write: ({ kind }) => kind,
  read(raw) {
    if (isLiteral(raw) && raw !== null) return { kind: 'value', value: raw };
    if (!isObject(raw) || Object.keys(raw).length !== 1) throw new BadValue(EXPECTED);
    if (raw.hash === true) return { kind: 'hash' };
    if (raw.now === true) return { kind: 'now' };
    if (raw.unique !== undefined) return { kind: 'unique', text: readUnique(raw.unique) };
    if (isObject(raw.json)) return { kind: 'json', changes: readChanges(raw.json) };
    throw new BadValue(EXPECTED);
  },
};

const EXPECTED =
  'must be null, a string, a number, true, false, { hash: true }, { unique: "erased-{random}" }, { now: true } or { json: { "$.path": null } }';

function only(name: string, schema: object): object {
  const properties = { [name]: schema };
  return { type: 'object', additionalProperties: false, required: [name], properties };
}

function isLiteral(raw: unknown): raw is string | number | boolean | null {
  return (
    raw === null ||
    typeof raw === 'string' ||
    typeof raw === 'boolean' ||
    (typeof raw === 'number' && Number.isFinite(raw))
  );
}

/** The placeholder must occur exactly once, so that a stored text can be recognised as made from it. */
function readUnique(raw: unknown): string {
  if (typeof raw !== 'string' || raw.split(RANDOM).length !== 2)
    throw new BadValue(
      'unique must be a string with {random} in it once, such as "erased-{random}@example.invalid"',
    );
  return raw;
}

function readChanges(raw: Readonly<Record<string, unknown>>): Record<string, JsonChange> {
  const paths = Object.keys(raw).map((text) => {
    const read = readJsonPath(text);
    if ('problem' in read) throw new BadValue(`json: the path ${text} ${read.problem}`);
    return { text, path: read.path };
  });
  if (paths.length === 0) throw new BadValue('json must name a path, such as "$.contact.email"');
  for (const { text, path } of paths) {
    const outer = paths.find((one) => one.text !== text && isWithin(path, one.path));
    if (outer !== undefined)
      throw new BadValue(`json: ${text} is within ${outer.text}; keep one of them`);
  }
  const changes = paths.map(({ text, path }): [string, JsonChange] => {
    const change = readChange(text, raw[text]);
    // After a removal the next attempt would find another item at that index, and remove it too.
    const last = path.at(-1);
    if (change.kind === 'remove' && typeof last === 'number' && last !== EACH)
      throw new BadValue(
        `json: removing ${text} would move the items behind it; write null instead, or remove the whole list`,
      );
    return [text, change];
  });
  return Object.fromEntries(changes);
}

function readChange(path: string, raw: unknown): JsonChange {
  if (isLiteral(raw)) return { kind: 'value', value: raw };
  if (isObject(raw) && Object.keys(raw).length === 1 && raw.remove === true)
    return { kind: 'remove' };
  throw new BadValue(
    `json: ${path} must be null, a string, a number, true, false or { remove: true }`,
  );
}
