// Calls a service as its recipe says. An answer that the recipe does not name is never taken for one that it does.
import { setTimeout as wait } from 'node:timers/promises';
import { readStrictJson } from '@unwrite/protocol';
import { fillJson, fillText, type Values } from '../../domain/recipe/placeholders.ts';
import type { Answers, Call } from '../../domain/recipe/recipe.ts';
import { plainText, valueAt } from '../../domain/recipe/value-at.ts';
import { TargetDown } from '../../domain/target/connector.ts';
import type { RestTargetConfig } from '../../domain/target/target.ts';
import { CallFailed } from '../../outbound/call-failed.ts';
import { connectionFailure, lateAnswer } from '../../outbound/connection-failure.ts';
import { exchange } from '../../outbound/exchange.ts';
import { keepConnections } from '../../outbound/kept-connections.ts';
import { createAddressRule, type Lookup, lookUp } from '../../outbound/reachable-addresses.ts';
import { readBytes } from '../../outbound/read-bytes.ts';
import { retryAfter } from '../../outbound/retry-after.ts';
import { withDeadline } from '../../outbound/with-deadline.ts';
import { applyFilter } from '../apply-filter.ts';
import { CannotDeal } from '../objects-connector.ts';

const MAX_BYTES = 16 << 20;
const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 1000;
const CLOSED = 'calls to the service were aborted: Unwrite is shutting down';

/** One person cannot be dealt with. */
export function unexpected(code: string, detail: string): CannotDeal {
  return new CannotDeal({ outcome: 'failed', code, detail });
}

export interface ServiceDeps {
  readonly lookup?: Lookup;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Request {
  readonly call: Call;
  readonly values: Values;
  /** In place of the call's own address: that of a further page. */
  readonly url?: URL;
}

export interface Service {
  readonly host: string;
  addressOf(call: Call, values: Values): URL;
  /** Which of the expected answers came, and its body if that is JSON. Throws CannotDeal and TargetDown. */
  ask<Name extends string>(
    request: Request,
    expected: Readonly<Record<Name, readonly Answers[]>>,
  ): Promise<{ readonly as: Name; readonly body: unknown }>;
  close(): void;
}

export function createService(config: RestTargetConfig, deps: ServiceDeps = {}): Service {
  const { recipe, timeout } = config;
  const { lookup = lookUp, pause = defaultPause } = deps;
  const origin = new URL(recipe.origin);
  const rule = createAddressRule(origin, {
    allowPrivate: config.allowPrivate,
    setting: 'allow_private of the target',
  });
  const kept = keepConnections(origin);
  const closing = new AbortController();
  let nextCall = 0;

  function addressOf({ path }: Call, values: Values): URL {
    const filled = fillText(path, values, encodeURIComponent, applyFilter);
    const url = new URL(filled, origin);
    // Such as a key that is "..": another object would be called.
    if (url.pathname !== filled.split('?')[0] || url.origin !== recipe.origin)
      throw unexpected(
        'bad_key',
        `${origin.host} has an object whose key cannot be put into ${path}`,
      );
    return url;
  }

  async function send({ call, values, url: next }: Request) {
    const url = next ?? addressOf(call, values);
    for (const [name, value] of Object.entries(recipe.auth.query))
      url.searchParams.set(name, value);
    const body = bodyOf(call, values);
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'unwrite',
      ...(body !== undefined && { 'content-type': body.type }),
      ...recipe.auth.headers,
    };
    const delay = nextCall - performance.now();
    if (delay > 0) await pauseFor(delay);
    nextCall = Math.max(performance.now(), nextCall) + recipe.pause;
    try {
      return await withDeadline(
        timeout,
        closing.signal,
        () => lateAnswer(url),
        (signal) =>
          exchange(
            {
              method: call.method,
              url,
              headers,
              body: body?.bytes ?? new Uint8Array(),
              read: (response, host) => readBytes(response, host, MAX_BYTES),
              readsAll: true,
              kept,
              signal,
            },
            rule,
            lookup,
          ),
      );
    } catch (error) {
      const { code, message } = connectionFailure(error, url);
      throw new TargetDown(code, message);
    }
  }

  async function sendUntilHeard(request: Request) {
    for (let tries = 1; ; tries++) {
      const answer = await send(request);
      if (answer.status !== 429) return answer;
      const given = retryAfter(answer.headers['retry-after'], Date.now());
      const delay = given ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
      if (tries === MAX_TRIES || delay > timeout)
        throw new TargetDown('rate_limited', `${origin.host} is limiting the rate of calls (429)`);
      await pauseFor(delay);
    }
  }

  async function pauseFor(delay: number): Promise<void> {
    await pause(delay, closing.signal).catch(() => undefined);
    if (closing.signal.aborted) throw new TargetDown('closed', CLOSED);
  }

  return {
    host: origin.host,
    addressOf,
    async ask(request, expected) {
      const { status, body: bytes } = await sendUntilHeard(request);
      const body = readJson(bytes);
      const names = Object.keys(expected) as (keyof typeof expected)[];
      const as = names.find((name) =>
        expected[name].some((one) => isThat(one, status, body, request.values)),
      );
      if (as !== undefined) return { as, body };
      const { method, path } = request.call;
      throw refusalOf(status, origin.host, `${method} ${path.split('?')[0]}`);
    },
    close() {
      closing.abort(new CallFailed('closed', CLOSED));
      kept.close();
    },
  };
}

function bodyOf({ json, form }: Call, values: Values) {
  if (json !== undefined)
    return {
      type: 'application/json',
      bytes: Buffer.from(JSON.stringify(fillJson(json, values, applyFilter))),
    };
  if (form === undefined) return undefined;
  const filled = fillJson(form, values, applyFilter) as Record<string, string>;
  return {
    type: 'application/x-www-form-urlencoded',
    bytes: Buffer.from(new URLSearchParams(filled).toString()),
  };
}

function isThat({ status, where }: Answers, got: number, body: unknown, values: Values): boolean {
  return (
    status === got &&
    Object.entries(where).every(([path, wanted]) => {
      const value = valueAt(body, path);
      // A body that is not JSON has no values, and proves no absence.
      if (wanted === null) return body !== undefined && (value === null || value === undefined);
      if (typeof wanted === 'object') return Array.isArray(value) && value.length === 0;
      return plainText(value) === fillText(String(wanted), values);
    })
  );
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return bytes.length === 0 ? undefined : readStrictJson(Buffer.from(bytes));
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, host: string, call: string): Error {
  if (status === 401 || status === 403)
    return new TargetDown(
      'auth_refused',
      `${host} refused the credentials (${status} to ${call}); correct "secrets" of the target, and see what the account may do, and whether the service lets anybody do that with this object`,
    );
  if (status >= 300 && status < 400)
    return new TargetDown(
      'redirected',
      `${host} redirects ${call} (${status}), and redirects are not followed`,
    );
  if (status >= 500)
    return new TargetDown(`http_${status}`, `${host} answered ${status} to ${call}`);
  return unexpected(
    'unexpected_answer',
    `${host} answered ${status} to ${call}, in a way that the recipe does not name; look there what that means, and name it in the recipe`,
  );
}

const defaultPause = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal });
