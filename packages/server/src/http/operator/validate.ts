// Checks bodies and query strings of the operator API by the schemas in its OpenAPI document. Names that a
// schema does not have are refused: a mistyped filter must not show everything.
import { createChecker, type ObjectSchema, type Schema } from '@unwrite/protocol';
import type { FastifySchemaCompiler } from 'fastify';
import { ApiError } from '../api-error.ts';

export const operatorValidator: FastifySchemaCompiler<ObjectSchema> = ({ schema, httpPart }) => {
  const checker = createChecker(schema, {});
  const isText = httpPart !== 'body';
  return (given: unknown) => {
    const value = isText ? fromTexts(given as Record<string, unknown>, schema) : (given ?? {});
    const problems = [...unknownFields(value, schema), ...checker.problems(value)];
    if (!isText && hasNul(value)) problems.push('A text must not contain a NUL character');
    if (problems.length > 0) return { error: new ApiError(400, problems.join('; ')) };
    return { value };
  };
};

function unknownFields(value: unknown, { properties }: ObjectSchema): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const known = Object.keys(properties);
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .slice(0, 1)
    .map(() => `Unknown field; the fields are: ${known.join(', ') || 'none'}`);
}

/** Query strings and paths contain only texts; a list is a name that occurs several times. */
function fromTexts(given: Record<string, unknown>, { properties }: ObjectSchema): object {
  const value: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    value[name] = schema === undefined ? text : fromText(text, schema);
  }
  return value;
}

function fromText(text: unknown, schema: Schema): unknown {
  if (!('type' in schema)) return text;
  if (schema.type === 'array') return Array.isArray(text) ? text : [text];
  if (schema.type === 'integer' && typeof text === 'string' && /^\d{1,15}$/.test(text)) {
    return Number(text);
  }
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** PostgreSQL cannot store NUL in a text. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}
