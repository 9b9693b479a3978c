// Contract 2.1 and 2.2: the body of POST /requests.
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import Format from 'typebox/format';
import { Settings } from 'typebox/system';
import {
  API_VERSION,
  IDENTITY_TYPES,
  MAX_IDENTITIES,
  MAX_IDENTITY_LENGTH,
  REGULATIONS,
} from './constants.ts';
import { isIdentityValue } from './identity-value.ts';
import {
  isSubjectRequestId,
  type SubjectRequestId,
  UUID_V4_PATTERN,
} from './subject-request-id.ts';
import { isTimestamp } from './timestamp.ts';

// All problems are named at once; the library's default stops at eight.
Settings.Set({ maxErrors: 3 * MAX_IDENTITIES + 20 });

// Our own names, so that no other user of the registry changes what these mean.
Format.Set('opendsr-uuid', isSubjectRequestId);
Format.Set('opendsr-timestamp', isTimestamp);
Format.Set('opendsr-identity', isIdentityValue);

/** Many serialisers send null for what is not there. */
function optional<T extends Type.TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

export const IdentityObject = Type.Object({
  identity_type: Type.Enum([...IDENTITY_TYPES]),
  identity_value: Type.String({
    format: 'opendsr-identity',
    minLength: 1,
    maxLength: MAX_IDENTITY_LENGTH,
    description:
      'The identity itself: no white space at either end and no control characters. An email is matched without regard to the case of ASCII letters, a controller_customer_id byte for byte.',
    examples: ['jane@example.com'],
  }),
  identity_format: Type.Literal('raw'),
});

export const CreateRequestBody = Type.Object({
  regulation: Type.Enum([...REGULATIONS]),
  subject_request_id: Type.Unsafe<SubjectRequestId>(
    Type.String({
      format: 'opendsr-uuid',
      pattern: UUID_V4_PATTERN,
      description: 'UUID version 4, made by the controller; unique among its requests',
      examples: ['a7551968-d5d6-44b2-9831-815ac9017798'],
    }),
  ),
  subject_request_type: Type.Literal('erasure'),
  submitted_time: Type.String({
    format: 'opendsr-timestamp',
    description: 'RFC 3339, with an offset or Z: when the person asked',
    examples: ['2026-11-15T02:00:00Z'],
  }),
  subject_identities: optional(
    Type.Array(IdentityObject, {
      maxItems: MAX_IDENTITIES,
      description: 'Who is meant; a request without identities waits for an operator',
    }),
  ),
  status_callback_urls: optional(
    Type.Array(Type.Unknown(), { description: 'Accepted and ignored: nothing is ever called' }),
  ),
  api_version: optional(Type.Literal(API_VERSION)),
});

export type CreateRequestBody = Type.Static<typeof CreateRequestBody>;

export const createRequestBody = Compile(CreateRequestBody);
