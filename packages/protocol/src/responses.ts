// Contract 2.3 to 2.5 and 4.1: what the four endpoints answer.
import {
  API_VERSION,
  IDENTITY_TYPES,
  REQUEST_STATUSES,
  SIGNATURE_PLACEHOLDER,
} from './constants.ts';
import type { ObjectSchema, Schema, Static } from './schema.ts';

/** Answers always have all of their fields. */
function answer<const P extends Readonly<Record<string, Schema>>>(properties: P) {
  const required = Object.keys(properties) as Extract<keyof P, string>[];
  return { type: 'object', required, properties } as const satisfies ObjectSchema;
}

const timestamp = <const D extends string>(description: D) =>
  ({ type: 'string', format: 'date-time', description }) as const;
const controllerId = {
  type: 'string',
  description: 'The controller that the token speaks for',
} as const;
const subjectRequestId = {
  type: 'string',
  format: 'uuid',
  description: 'As submitted at creation',
} as const;
const signature = {
  type: 'string',
  description: `Always ${SIGNATURE_PLACEHOLDER}: the signature is in the header X-OpenDSR-Signature`,
} as const;
const apiVersion = { type: 'string', examples: [API_VERSION] } as const;

export const createdSchema = answer({
  controller_id: controllerId,
  expected_completion_time: timestamp('received_time plus 30 days'),
  received_time: timestamp('When the request was stored'),
  encoded_request: { type: 'string', description: 'Base64 of the bytes of the request body' },
  subject_request_id: subjectRequestId,
  processor_signature: signature,
});

export const statusSchema = answer({
  controller_id: controllerId,
  expected_completion_time: timestamp('received_time plus 30 days'),
  subject_request_id: subjectRequestId,
  request_status: { enum: REQUEST_STATUSES },
  api_version: apiVersion,
});

export const cancelledSchema = answer({
  controller_id: controllerId,
  received_time: timestamp('When the cancellation was received'),
  subject_request_id: subjectRequestId,
  processor_signature: signature,
  api_version: apiVersion,
});

const discovery = answer({
  api_version: apiVersion,
  supported_identities: {
    type: 'array',
    items: answer({
      identity_type: { type: 'string', examples: IDENTITY_TYPES },
      identity_format: { type: 'string', examples: ['raw'] },
    }),
  },
  supported_subject_request_types: {
    type: 'array',
    items: { type: 'string', examples: ['erasure'] },
  },
});

/** `processor_certificate` is there only where a certificate is configured. */
export const discoverySchema = {
  ...discovery,
  properties: {
    ...discovery.properties,
    processor_certificate: {
      type: 'string',
      format: 'uri',
      description:
        'Where the certificate is that signatures are verified with; left out without one',
    },
  },
} as const satisfies ObjectSchema;

export type CreatedResponse = Static<typeof createdSchema>;
export type StatusResponse = Static<typeof statusSchema>;
export type CancelledResponse = Static<typeof cancelledSchema>;
export type DiscoveryResponse = Static<typeof discoverySchema>;
