// Contract 2.1 and 2.2: the body of POST /requests.
import { createChecker, type Formats } from './check-schema.ts';
import {
  API_VERSION,
  IDENTITY_TYPES,
  MAX_IDENTITIES,
  MAX_IDENTITY_LENGTH,
  REGULATIONS,
} from './constants.ts';
import { isIdentityValue } from './identity-value.ts';
import { nullable, type Static } from './schema.ts';
import {
  isSubjectRequestId,
  type SubjectRequestId,
  UUID_V4_PATTERN,
} from './subject-request-id.ts';
import { isTimestamp } from './timestamp.ts';

const MAX_PROBLEMS_NAMED = 25;

const FORMATS: Formats = {
  uuid: {
    test: isSubjectRequestId,
    problem: 'must be a UUID version 4, such as a7551968-d5d6-44b2-9831-815ac9017798',
  },
  'date-time': {
    test: isTimestamp,
    problem: 'must be an RFC 3339 timestamp with an offset or Z, such as 2026-11-15T02:00:00Z',
  },
  'identity-value': {
    test: isIdentityValue,
    problem: 'must have no white space at either end and no control characters',
  },
};

const identityObject = {
  type: 'object',
  required: ['identity_type', 'identity_value', 'identity_format'],
  properties: {
    identity_type: { enum: IDENTITY_TYPES },
    identity_value: {
      type: 'string',
      format: 'identity-value',
      minLength: 1,
      maxLength: MAX_IDENTITY_LENGTH,
      description:
        'The identity itself: no white space at either end and no control characters. An email is matched without regard to the case of ASCII letters, a controller_customer_id byte for byte.',
      examples: ['jane@example.com'],
    },
    identity_format: { const: 'raw' },
  },
} as const;

export const createRequestSchema = {
  type: 'object',
  required: ['regulation', 'subject_request_id', 'subject_request_type', 'submitted_time'],
  properties: {
    regulation: { enum: REGULATIONS },
    subject_request_id: {
      type: 'string',
      format: 'uuid',
      pattern: UUID_V4_PATTERN,
      description: 'UUID version 4, made by the controller; unique among its requests',
      examples: ['a7551968-d5d6-44b2-9831-815ac9017798'],
    },
    subject_request_type: { const: 'erasure' },
    submitted_time: {
      type: 'string',
      format: 'date-time',
      description: 'RFC 3339, with an offset or Z: when the person asked',
      examples: ['2026-11-15T02:00:00Z'],
    },
    subject_identities: nullable({
      type: 'array',
      items: identityObject,
      maxItems: MAX_IDENTITIES,
      description: 'Who is meant; a request without identities waits for an operator',
    }),
    status_callback_urls: nullable({
      type: 'array',
      description: 'Accepted and ignored: nothing is ever called',
    }),
    api_version: nullable({ const: API_VERSION }),
  },
} as const;

export type CreateRequestBody = Omit<Static<typeof createRequestSchema>, 'subject_request_id'> & {
  subject_request_id: SubjectRequestId;
};

const checker = createChecker(createRequestSchema, FORMATS);

export function isCreateRequestBody(value: unknown): value is CreateRequestBody {
  return checker.isValid(value);
}

/** Every problem, in one message. */
export function describeProblems(value: unknown): string {
  // Those of single identities last: five hundred of them must not hide a missing regulation.
  const problems = checker
    .problems(value)
    .sort((a, b) => Number(a.includes('[')) - Number(b.includes('[')));
  const more = problems.length - MAX_PROBLEMS_NAMED;
  return more > 0
    ? `${problems.slice(0, MAX_PROBLEMS_NAMED).join('; ')}; and ${more} more`
    : problems.join('; ');
}
