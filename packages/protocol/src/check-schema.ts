// Compiles a schema into a check. Problems are sentences for people that name the field and never
// repeat its value.
import type { ArraySchema, IntegerSchema, ObjectSchema, Schema, StringSchema } from './schema.ts';

/** A named rule beyond the schema's own words, and how to say it. */
export interface Format {
  readonly test: (text: string) => boolean;
  readonly problem: string;
}

export type Formats = Readonly<Record<string, Format>>;

export interface Checker {
  isValid(value: unknown): boolean;
  /** One sentence a field, such as "regulation is missing". */
  problems(value: unknown): string[];
}

/** Without a list only the verdict is wanted, and no names are built. */
type Check = (value: unknown, at: string, problems: string[] | undefined) => boolean;

export function createChecker(schema: Schema, formats: Formats): Checker {
  const check = compile(schema, formats);
  return {
    isValid: (value) => check(value, '', undefined),
    problems(value) {
      const problems: string[] = [];
      check(value, '', problems);
      return problems;
    },
  };
}

function compile(schema: Schema, formats: Formats): Check {
  if ('anyOf' in schema) {
    const inner = compile(schema.anyOf[0], formats);
    return (value, at, problems) => value === null || inner(value, at, problems);
  }
  if ('const' in schema) {
    const expected = schema.const;
    return (value, at, problems) =>
      value === expected || complain(problems, at, `must be "${expected}"`);
  }
  if ('enum' in schema) {
    const allowed: readonly unknown[] = schema.enum;
    const problem = `must be one of: ${schema.enum.join(', ')}`;
    return (value, at, problems) => allowed.includes(value) || complain(problems, at, problem);
  }
  switch (schema.type) {
    case 'string':
      return compileString(schema, formats);
    case 'array':
      return compileArray(schema, formats);
    case 'object':
      return compileObject(schema, formats);
    case 'integer':
      return compileInteger(schema);
    case 'boolean':
      return (value, at, problems) =>
        typeof value === 'boolean' || complain(problems, at, 'must be true or false');
  }
}

function compileInteger(schema: IntegerSchema): Check {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const bounds =
    schema.maximum === undefined
      ? schema.minimum === undefined
        ? ''
        : ` of at least ${minimum}`
      : ` from ${minimum} to ${maximum}`;
  const problem = `must be a whole number${bounds}`;
  return (value, at, problems) =>
    (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) ||
    complain(problems, at, problem);
}

function compileString(schema: StringSchema, formats: Formats): Check {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const format = schema.format === undefined ? undefined : formats[schema.format];
  return (value, at, problems) => {
    if (typeof value !== 'string') return complain(problems, at, 'must be a string');
    if (value.length < minLength) return complain(problems, at, 'must not be empty');
    if (isLonger(value, maxLength)) {
      return complain(problems, at, `must have at most ${maxLength} characters`);
    }
    return format === undefined || format.test(value) || complain(problems, at, format.problem);
  };
}

/** In code points: an astral character counts once. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  return [...text].length > max;
}

function compileArray(schema: ArraySchema, formats: Formats): Check {
  const { maxItems = Number.POSITIVE_INFINITY } = schema;
  const checkItem = schema.items === undefined ? undefined : compile(schema.items, formats);
  return (value, at, problems) => {
    if (!Array.isArray(value)) return complain(problems, at, 'must be an array');
    if (value.length > maxItems) {
      return complain(problems, at, `must have at most ${maxItems} items`);
    }
    if (checkItem === undefined) return true;
    let valid = true;
    for (let i = 0; i < value.length && (valid || problems !== undefined); i++) {
      if (!checkItem(value[i], problems === undefined ? '' : `${at}[${i}]`, problems))
        valid = false;
    }
    return valid;
  };
}

function compileObject(schema: ObjectSchema, formats: Formats): Check {
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    isRequired: schema.required.includes(name),
    check: compile(field, formats),
  }));
  return (value, at, problems) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return complain(problems, at, 'must be an object');
    }
    let valid = true;
    for (const { name, isRequired, check } of fields) {
      const field = Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
      const where = problems === undefined ? '' : at === '' ? name : `${at}.${name}`;
      if (field === undefined) {
        if (isRequired) valid = complain(problems, where, 'is missing');
      } else if (!check(field, where, problems)) valid = false;
      if (!valid && problems === undefined) return false;
    }
    return valid;
  };
}

function complain(problems: string[] | undefined, at: string, problem: string): false {
  problems?.push(`${at === '' ? 'The body' : at} ${problem}`);
  return false;
}
