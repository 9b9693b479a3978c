import { errorSchema } from '@unwrite/protocol';

const MEANINGS: Record<number, string> = {
  400: 'Invalid request',
  401: 'No valid bearer token',
  403: 'The token is valid, but may not do this',
  404: 'Request not found',
  409: 'A request with this subject_request_id already exists',
  413: 'The body is too large',
  415: 'The content type is not accepted',
  429: 'Too many attempts; Retry-After says when to try again',
  503: 'The service cannot answer now; Retry-After says when to try again',
};

/** For the OpenAPI document: the statuses of a route, all in the error shape. */
export function errorResponses(...statuses: number[]): Record<number, object> {
  return Object.fromEntries(
    [...statuses, 503].map((status) => [
      status,
      { ...errorSchema, description: MEANINGS[status] ?? 'Error' },
    ]),
  );
}

const text = { type: 'string' };

/** For the OpenAPI document: a 2xx answer of the four endpoints, with its headers. */
export function success(schema: object, description: string): object {
  return {
    description,
    headers: {
      'X-OpenDSR-Processor-Domain': text,
      'X-OpenDSR-Signature': text,
      'X-Request-Id': text,
    },
    content: { 'application/json': { schema } },
  };
}
