import { errorSchema } from '@unwrite/protocol';

const MEANINGS: Record<number, string> = {
  400: 'Invalid request; the message names every problem',
  401: 'Not signed in, or the session or the token is no longer valid',
  403: 'The role does not allow this, or the call comes from a foreign page',
  404: 'Not found',
  409: 'The state does not allow this, or somebody else was faster',
  412: 'If-Match names another state than the present one',
  429: 'Too many attempts; Retry-After says when to try again',
  503: 'The store cannot answer now; Retry-After says when to try again',
};

/** For the OpenAPI document of operators: these statuses, and those that every route has. */
export function operatorErrors(...statuses: number[]): Record<number, object> {
  return Object.fromEntries(
    [...statuses, 401, 403, 503].map((status) => [
      status,
      { ...errorSchema, description: MEANINGS[status] ?? 'Error' },
    ]),
  );
}
