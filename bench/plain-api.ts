// What the floor and the textbook share: the shapes of the two endpoints, as a framework takes them.
import { createdSchema, createRequestSchema, statusSchema } from '@unwrite/protocol';

// Fastify's own validator does not know our format of identities.
const body = JSON.parse(JSON.stringify(createRequestSchema), (key, value) =>
  key === 'format' && value === 'identity-value' ? undefined : value,
);

export const CREATE = { schema: { body, response: { 201: createdSchema } } };
export const STATUS = { schema: { response: { 200: statusSchema } } };

const ENCODED = Buffer.alloc(300, 'x').toString('base64');

export function createdAnswer(subject_request_id: string, received_time: string) {
  return {
    controller_id: 'acme',
    expected_completion_time: '2026-12-15T02:00:00.000Z',
    received_time,
    encoded_request: ENCODED,
    subject_request_id,
    processor_signature: 'not-yet-implemented',
  };
}

export function statusAnswer(subject_request_id: string, request_status: string) {
  return {
    controller_id: 'acme',
    expected_completion_time: '2026-12-15T02:00:00.000Z',
    subject_request_id,
    request_status,
    api_version: '2.0',
  };
}
