// Calls the operator's endpoint: one POST for each call, repeated while it is busy, polled if it answers later.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { readStrictJson } from '@unwrite/protocol';
import { TargetDown } from '../../domain/target/connector.ts';
import type { HttpTargetConfig } from '../../domain/target/target.ts';
import { CallFailed } from '../../outbound/call-failed.ts';
import { connectionFailure, lateAnswer } from '../../outbound/connection-failure.ts';
import { type Answer, exchange } from '../../outbound/exchange.ts';
import {
  createAddressRule,
  type Lookup,
  lookUp,
  reachableAddresses,
} from '../../outbound/reachable-addresses.ts';
import { retryAfter } from '../../outbound/retry-after.ts';
import { withDeadline } from '../../outbound/with-deadline.ts';
import { authorization } from './authorization.ts';
import { readBody } from './read-body.ts';
import { refusalOf } from './status-refusal.ts';

type Method = 'GET' | 'POST';

const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** An endpoint that answers "retry at once" is called at most five times a second. */
const SHORTEST_PAUSE_MS = 200;
const BUSY = new Set([429, 502, 503, 504]);

export interface EndpointDeps {
  readonly lookup?: Lookup;
  readonly now?: () => number;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface Endpoint {
  /** The addresses that its name resolves to and that may be reached. Throws TargetDown. */
  locate(): Promise<readonly string[]>;
  /** The answer as JSON, not validated. Throws TargetDown. */
  post(body: unknown): Promise<unknown>;
  close(): void;
}

export function createEndpoint(config: HttpTargetConfig, deps: EndpointDeps = {}): Endpoint {
  const { lookup = lookUp, now = Date.now, pause = defaultPause } = deps;
  /** Measures time limits, which a clock that is set back must not extend. */
  const elapsed = deps.now ?? (() => performance.now());
  const url = new URL(config.url);
  const rule = createAddressRule(url, {
    allowPrivate: config.allowPrivate,
    setting: 'allow_private of the target',
  });
  const closing = new AbortController();

  const inTime = <T>(until: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withDeadline(until - elapsed(), closing.signal, () => lateAnswer(url), work);

  async function send(id: string, method: Method, to: URL, body: Uint8Array, until: number) {
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'unwrite',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...authorization(config.auth, id, body, now()),
    };
    return inTime(until, (signal) =>
      exchange({ method, url: to, headers, body, read: readBody, signal }, rule, lookup),
    );
  }

  /** Returns a 200 or 202, or throws CallFailed. All attempts together have the time of one call. */
  async function ask(id: string, method: Method, to: URL, body: Uint8Array, latest = Infinity) {
    const until = Math.min(elapsed() + config.timeout, latest);
    for (let tries = 1; ; tries++) {
      const answer = await send(id, method, to, body, until);
      if (answer.status === 200 || answer.status === 202) return answer;
      const delay = delayOf(answer, tries);
      if (!BUSY.has(answer.status) || tries === MAX_TRIES || elapsed() + delay >= until)
        throw refusalOf(answer.status, url.host);
      await pauseFor(delay);
    }
  }

  async function follow(id: string, first: Answer): Promise<Answer> {
    const latest = elapsed() + config.pollTimeout;
    let answer = first;
    let place = placeOf(first, url);
    for (let polls = 1; answer.status === 202; polls++) {
      const delay = delayOf(answer, polls);
      if (elapsed() + delay >= latest)
        throw new CallFailed(
          'timeout',
          `${url.host} did not finish within the target's poll_timeout; raise it, or lower batch_size`,
        );
      await pauseFor(delay);
      answer = await ask(id, 'GET', place, new Uint8Array(), latest);
      if (answer.headers.location !== undefined) place = placeOf(answer, url);
    }
    return answer;
  }

  function delayOf({ headers }: Answer, round: number): number {
    const growing = Math.min(FIRST_PAUSE_MS * 2 ** (round - 1), LONGEST_PAUSE_MS);
    return Math.max(SHORTEST_PAUSE_MS, retryAfter(headers['retry-after'], now()) ?? growing);
  }

  async function pauseFor(delay: number): Promise<void> {
    await pause(delay, closing.signal).catch(() => undefined);
    closing.signal.throwIfAborted();
  }

  return {
    async locate() {
      const until = elapsed() + config.timeout;
      try {
        const found = (signal: AbortSignal) => reachableAddresses(url, rule, lookup, signal);
        return (await inTime(until, found)).map(({ address }) => address);
      } catch (error) {
        throw targetDown(connectionFailure(error, url));
      }
    },
    async post(body) {
      // The same for all attempts of this call and its polls.
      const id = randomUUID();
      return asTargetDown(async () => {
        const answer = await ask(id, 'POST', url, Buffer.from(JSON.stringify(body)));
        const last = answer.status === 202 ? await follow(id, answer) : answer;
        return readJson(last.body, url.host);
      });
    },
    close() {
      closing.abort(
        new CallFailed('closed', `the call to ${url.host} was aborted: Unwrite is shutting down`),
      );
    },
  };
}

async function asTargetDown<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof CallFailed ? targetDown(error) : error;
  }
}

const targetDown = ({ code, message }: CallFailed) => new TargetDown(code, message);

async function defaultPause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal });
}

function placeOf({ headers }: Answer, { href, host, origin }: URL): URL {
  const place = URL.parse(headers.location ?? '', href);
  if (headers.location === undefined || place === null)
    throw new CallFailed('bad_answer', `${host} answered 202 without a Location to poll`);
  if (place.origin !== origin)
    throw new CallFailed(
      'bad_answer',
      `${host} answered 202 with a Location on another origin; it must be on its own`,
    );
  return place;
}

function readJson(body: Uint8Array, host: string): unknown {
  try {
    return readStrictJson(body);
  } catch {
    throw new CallFailed('bad_answer', `${host} answered 200 with invalid JSON`);
  }
}
