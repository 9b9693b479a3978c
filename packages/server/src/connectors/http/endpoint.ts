// Calls the operator's endpoint: one POST for each call, repeated while it is busy, polled if it answers later.
import { setTimeout as wait } from 'node:timers/promises';
import { readStrictJson } from '@unwrite/protocol';
import { TargetDown } from '../../domain/target/connector.ts';
import type { HttpTargetConfig } from '../../domain/target/target.ts';
import { authorization } from './authorization.ts';
import { connectionFailure, lateAnswer } from './connection-failure.ts';
import { type Answer, exchange } from './exchange.ts';
import {
  createAddressRule,
  type Lookup,
  lookUp,
  reachableAddresses,
} from './reachable-addresses.ts';
import { retryAfter } from './retry-after.ts';
import { refusalOf } from './status-refusal.ts';
import { withDeadline } from './with-deadline.ts';

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
  const rule = createAddressRule(config);
  const closing = new AbortController();

  const inTime = <T>(until: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withDeadline(until - elapsed(), closing.signal, () => lateAnswer(url), work);

  async function send(method: 'GET' | 'POST', to: URL, body: Uint8Array, until: number) {
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'unwrite',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...authorization(config.auth, body, now()),
    };
    return inTime(until, (signal) =>
      exchange({ method, url: to, headers, body, signal }, rule, lookup),
    );
  }

  /** Returns a 200 or 202, or throws TargetDown. All attempts together have the time of one call. */
  async function ask(method: 'GET' | 'POST', to: URL, body: Uint8Array, latest = Infinity) {
    const until = Math.min(elapsed() + config.timeout, latest);
    for (let tries = 1; ; tries++) {
      const answer = await send(method, to, body, until);
      if (answer.status === 200 || answer.status === 202) return answer;
      const delay = delayOf(answer, tries);
      if (!BUSY.has(answer.status) || tries === MAX_TRIES || elapsed() + delay >= until)
        throw refusalOf(answer.status, url.host);
      await pauseFor(delay);
    }
  }

  async function follow(first: Answer): Promise<Answer> {
    const latest = elapsed() + config.pollTimeout;
    let answer = first;
    let place = placeOf(first, url);
    for (let polls = 1; answer.status === 202; polls++) {
      const delay = delayOf(answer, polls);
      if (elapsed() + delay >= latest)
        throw new TargetDown(
          'timeout',
          `${url.host} did not finish within the target's poll_timeout; raise it, or lower batch_size`,
        );
      await pauseFor(delay);
      answer = await ask('GET', place, new Uint8Array(), latest);
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
        throw connectionFailure(error, url);
      }
    },
    async post(body) {
      const answer = await ask('POST', url, Buffer.from(JSON.stringify(body)));
      const last = answer.status === 202 ? await follow(answer) : answer;
      return readJson(last.body, url.host);
    },
    close() {
      closing.abort(
        new TargetDown('closed', `the call to ${url.host} was aborted: Unwrite is shutting down`),
      );
    },
  };
}

async function defaultPause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal });
}

function placeOf({ headers }: Answer, { href, host, origin }: URL): URL {
  const place = URL.parse(headers.location ?? '', href);
  if (headers.location === undefined || place === null)
    throw new TargetDown('bad_answer', `${host} answered 202 without a Location to poll`);
  if (place.origin !== origin)
    throw new TargetDown(
      'bad_answer',
      `${host} answered 202 with a Location on another origin; it must be on its own`,
    );
  return place;
}

function readJson(body: Uint8Array, host: string): unknown {
  try {
    return readStrictJson(body);
  } catch {
    throw new TargetDown('bad_answer', `${host} answered 200 with invalid JSON`);
  }
}
