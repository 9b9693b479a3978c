// Turns a schema's complaints into sentences for people: every problem named, no value repeated.
import type { TLocalizedValidationError } from 'typebox/error';

const MOST_NAMED = 25;

const FORMATS: Record<string, string> = {
  'opendsr-uuid': 'must be a UUID version 4, such as a7551968-d5d6-44b2-9831-815ac9017798',
  'opendsr-timestamp':
    'must be an RFC 3339 timestamp with an offset or Z, such as 2026-11-15T02:00:00Z',
  'opendsr-identity': 'must have no white space at either end and no control characters',
};

const TYPES: Record<string, string> = {
  string: 'must be a string',
  array: 'must be an array',
  object: 'must be an object',
  integer: 'must be a whole number',
  boolean: 'must be true or false',
};

export function describeFieldProblems(errors: readonly TLocalizedValidationError[]): string {
  const problems = new Map<string, string>();
  for (const error of errors) {
    for (const [field, problem] of problemsOf(error)) {
      // One sentence a field: a bad UUID fails its pattern and its format. Of "must be a string" and
      // "must be "2.0"" the second says what to send.
      if (!problems.has(field) || error.keyword === 'const') problems.set(field, problem);
    }
  }
  // Those of single identities last: five hundred of them must not hide a missing regulation.
  const sentences = [...problems]
    .toSorted(([a], [b]) => Number(a.includes('[')) - Number(b.includes('[')))
    .map(([field, problem]) => `${field} ${problem}`);
  const more = sentences.length - MOST_NAMED;
  return more > 0
    ? `${sentences.slice(0, MOST_NAMED).join('; ')}; and ${more} more`
    : sentences.join('; ');
}

function problemsOf(error: TLocalizedValidationError): [string, string][] {
  const field = fieldName(error.instancePath);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => [
        error.instancePath === '' ? name : `${field}.${name}`,
        'is missing',
      ]);
    case 'type': {
      // The null branch of an optional field: the other branch has said what is wrong.
      if (error.params.type === 'null') return [];
      return [[field, TYPES[String(error.params.type)] ?? 'has the wrong type']];
    }
    case 'enum':
      return [[field, `must be one of: ${error.params.allowedValues.join(', ')}`]];
    case 'const':
      return [[field, `must be ${JSON.stringify(error.params.allowedValue)}`]];
    case 'minLength':
      return [[field, 'must not be empty']];
    case 'maxLength':
      return [[field, `must have at most ${error.params.limit} characters`]];
    case 'maxItems':
      return [[field, `must have at most ${error.params.limit} items`]];
    case 'format':
      return [[field, FORMATS[error.params.format] ?? 'has the wrong format']];
    case 'pattern':
    case 'anyOf':
      return [];
    default:
      return [[field, 'is not valid']];
  }
}

/** `/subject_identities/1/identity_value` reads as `subject_identities[1].identity_value`. */
function fieldName(path: string): string {
  if (path === '') return 'The body';
  return path
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
}
