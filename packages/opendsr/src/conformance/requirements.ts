// What checks demand of an answer. Each throws a Violation that says what was expected.

import type { Exchange } from './exchange.ts';
import { NotApplicable, Violation } from './findings.ts';

const RFC3339 =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function requireStatus(exchange: Exchange, ...expected: readonly number[]): void {
  const { status } = exchange.answer;
  if (expected.includes(status)) return;
  throw new Violation(`expected ${expected.join(' or ')}, got ${status}`, exchange);
}

/** For checks of what is in an answer: that there is one is another check. */
export function bodyOf(exchange: Exchange, status: number): Readonly<Record<string, unknown>> {
  if (exchange.answer.status !== status) {
    throw new NotApplicable(
      `the answer to ${exchange.sent.method} ${exchange.sent.path.replace(/\/[0-9a-f-]{36}$/, '/{id}')} is ${exchange.answer.status}, not ${status}`,
    );
  }
  if (exchange.json === undefined) throw new Violation('the body is not a JSON object', exchange);
  return exchange.json;
}

export type Kind = 'string' | 'time' | 'base64' | 'array';

const KINDS: Record<Kind, { readonly words: string; readonly test: (value: unknown) => boolean }> =
  {
    string: { words: 'a string', test: (it) => typeof it === 'string' && it !== '' },
    time: { words: 'an RFC 3339 timestamp', test: (it) => RFC3339.test(String(it)) },
    base64: {
      words: 'base64',
      test: (it) => typeof it === 'string' && it !== '' && BASE64.test(it),
    },
    array: { words: 'an array', test: Array.isArray },
  };

export function requireMember(exchange: Exchange, status: number, name: string, kind: Kind): void {
  const body = bodyOf(exchange, status);
  if (!Object.hasOwn(body, name)) throw new Violation(`${name} is missing`, exchange);
  const { words, test } = KINDS[kind];
  if (!test(body[name])) throw new Violation(`${name} must be ${words}`, exchange);
}

export function requireValue(
  exchange: Exchange,
  status: number,
  name: string,
  expected: unknown,
): void {
  const value = bodyOf(exchange, status)[name];
  if (value === expected) return;
  throw new Violation(
    `${name} must be ${JSON.stringify(expected)}, not ${JSON.stringify(value) ?? 'missing'}`,
    exchange,
  );
}

export function requireHeader(exchange: Exchange, status: number, name: string): string {
  bodyOf(exchange, status);
  const value = exchange.answer.headers.get(name);
  if (value !== null && value !== '') return value;
  throw new Violation(`the header ${name} is missing`, exchange);
}

/** Contract 7: `{"error": {"code": 404, "message": "…"}}`. */
export function requireErrorShape(exchange: Exchange): void {
  const { status } = exchange.answer;
  if (status < 400) throw new NotApplicable(`the answer is ${status}, which is no error`);
  const error = exchange.json?.error as { code?: unknown; message?: unknown } | null | undefined;
  if (typeof error !== 'object' || error === null) {
    throw new Violation('the body must be a JSON object with "error"', exchange);
  }
  if (error.code !== status) {
    throw new Violation(`error.code must be the HTTP status as a number, ${status}`, exchange);
  }
  if (typeof error.message !== 'string' || error.message === '') {
    throw new Violation('error.message must be a text', exchange);
  }
}

export function requireJson(exchange: Exchange): void {
  const type = exchange.answer.headers.get('content-type') ?? 'missing';
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  throw new Violation(`Content-Type must be application/json, and is ${type}`, exchange);
}

/** Refused for want of a valid token. */
export function requireRefused(exchange: Exchange): void {
  const { status } = exchange.answer;
  if (status < 400 || status >= 500) {
    throw new Violation(`expected a refusal (401), got ${status}`, exchange);
  }
}

export const idIn = ({ sent }: Exchange): string =>
  String(JSON.parse(sent.body ?? '{}').subject_request_id);
