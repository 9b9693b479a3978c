// A request and its answer, as they are shown where a check fails. The people in them do not exist.
import type { RawAnswer } from '@unwrite/client';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Exchange {
  readonly sent: Sent;
  readonly answer: RawAnswer;
  readonly text: string;
  /** Undefined where it is no JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

const SHOWN_HEADERS = [
  'content-type',
  'location',
  'retry-after',
  'www-authenticate',
  'x-opendsr-processor-domain',
  'x-opendsr-signature',
  'x-request-id',
];
const MAX_SHOWN = 2000;

export function exchangeOf(sent: Sent, answer: RawAnswer): Exchange {
  const text = new TextDecoder().decode(answer.bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It is no JSON.
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return { sent, answer, text, json: isObject ? (value as Record<string, unknown>) : undefined };
}

/** Without tokens and secrets. */
export function shownExchange({ sent, answer, text }: Exchange) {
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, cut(value)] as const];
  });
  return {
    sent: {
      method: sent.method,
      path: sent.path,
      headers: sent.headers,
      ...(sent.body !== undefined && { body: cut(sent.body) }),
    },
    received: { status: answer.status, headers: Object.fromEntries(headers), body: cut(text) },
  };
}

const cut = (text: string) =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
