import { expect } from 'vitest';

interface ErrorAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: string;
}

/** Contract 7: the one shape of every error, to the key. Gives the message. */
export function expectError(answer: ErrorAnswer, status: number): string {
  expect(answer.status, answer.text).toBe(status);
  return expectErrorShape(answer);
}

export function expectErrorShape({ status, headers, text }: ErrorAnswer): string {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body = JSON.parse(text);
  expect(Object.keys(body)).toEqual(['error']);
  expect(Object.keys(body.error).sort()).toEqual(['code', 'message']);
  expect(body.error.code).toBe(status);
  expect(body.error.message).toMatch(/^\S.*\S$/);
  return body.error.message;
}
