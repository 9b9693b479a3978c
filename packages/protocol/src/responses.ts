// Contract 2.3 to 2.5 and 4.1: what the four endpoints answer.
import Type from 'typebox';
import {
  API_VERSION,
  IDENTITY_TYPES,
  REQUEST_STATUSES,
  SIGNATURE_PLACEHOLDER,
} from './constants.ts';

const timestamp = (description: string) => Type.String({ format: 'date-time', description });
const controllerId = Type.String({ description: 'The controller that the token speaks for' });
const subjectRequestId = Type.String({ format: 'uuid', description: 'As submitted at creation' });
const signature = Type.String({
  description: `Always ${SIGNATURE_PLACEHOLDER}: the signature is in the header X-OpenDSR-Signature`,
});
const apiVersion = Type.String({ examples: [API_VERSION] });

export const CreatedResponse = Type.Object({
  controller_id: controllerId,
  expected_completion_time: timestamp('received_time plus 30 days'),
  received_time: timestamp('When the request was stored'),
  encoded_request: Type.String({ description: 'Base64 of the bytes of the request body' }),
  subject_request_id: subjectRequestId,
  processor_signature: signature,
});

export const StatusResponse = Type.Object({
  controller_id: controllerId,
  expected_completion_time: timestamp('received_time plus 30 days'),
  subject_request_id: subjectRequestId,
  request_status: Type.Unsafe<(typeof REQUEST_STATUSES)[number]>(
    Type.String({ enum: [...REQUEST_STATUSES] }),
  ),
  api_version: apiVersion,
});

export const CancelledResponse = Type.Object({
  controller_id: controllerId,
  received_time: timestamp('When the cancellation was received'),
  subject_request_id: subjectRequestId,
  processor_signature: signature,
  api_version: apiVersion,
});

export const DiscoveryResponse = Type.Object({
  api_version: apiVersion,
  supported_identities: Type.Array(
    Type.Object({
      identity_type: Type.String({ examples: [...IDENTITY_TYPES] }),
      identity_format: Type.String({ examples: ['raw'] }),
    }),
  ),
  supported_subject_request_types: Type.Array(Type.String({ examples: ['erasure'] })),
});

export type CreatedResponse = Type.Static<typeof CreatedResponse>;
export type StatusResponse = Type.Static<typeof StatusResponse>;
export type CancelledResponse = Type.Static<typeof CancelledResponse>;
export type DiscoveryResponse = Type.Static<typeof DiscoveryResponse>;
