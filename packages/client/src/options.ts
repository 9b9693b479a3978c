import type { SignedAnswer } from './answer.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { guardHook, type OnEvent } from './events.ts';

export interface ConnectionOptions {
  /** Where `/discovery` and `/requests` are, such as `https://opendsr.example.com/v2`. */
  readonly baseUrl: string | URL;
  /** Where requests are below `baseUrl`, for processors that call it otherwise. Default: `/requests`. */
  readonly requestsPath?: string;
  /** Called with every success of the four endpoints; throws or rejects if it is not signed as it should be. */
  readonly verify?: (answer: SignedAnswer) => void | Promise<void>;
  /** Told about every attempt, for logs. */
  readonly onEvent?: OnEvent;
  /** Attempts of one call, and the longest wait between two of them. Default: 6 and 60,000 ms. */
  readonly maxAttempts?: number;
  readonly maxDelayMs?: number;
  /** For one attempt, from sending to the last byte of the answer. Default: 30,000 ms. */
  readonly timeoutMs?: number;
  /** Allows addresses that begin with http: and are not of this machine. Secrets and identities travel in clear. */
  readonly allowHttp?: boolean;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
}

/** OAuth 2.0 client credentials. */
export interface CredentialOptions {
  readonly tokenUrl: string | URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
}

/** For processors with another kind of authentication, and for tokens from elsewhere. */
export interface AuthorizationOptions {
  /** The value of the Authorization header, asked for before every attempt. */
  readonly authorization: () => string | Promise<string>;
}

export type ErasureClientOptions = ConnectionOptions & (CredentialOptions | AuthorizationOptions);

export interface Settings {
  readonly baseUrl: string;
  readonly requestsPath: string;
  readonly verify: ((answer: SignedAnswer) => void | Promise<void>) | undefined;
  readonly onEvent: OnEvent;
  readonly maxAttempts: number;
  readonly maxDelayMs: number;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

export function readSettings(options: ConnectionOptions): Settings {
  return {
    baseUrl: readAddress('baseUrl', options.baseUrl, options.allowHttp),
    requestsPath: readPath('requestsPath', options.requestsPath ?? '/requests'),
    verify: options.verify,
    onEvent: guardHook(options.onEvent),
    maxAttempts: readNumber('maxAttempts', options.maxAttempts ?? 6, 1),
    maxDelayMs: readNumber('maxDelayMs', options.maxDelayMs ?? 60_000, 0),
    timeoutMs: readNumber('timeoutMs', options.timeoutMs ?? 30_000, 1),
    // Called without its object, the browser's own fetch throws.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? SYSTEM_CLOCK,
  };
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Without a slash at its end. */
export function readAddress(name: string, value: string | URL, allowHttp = false): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${name} must be an absolute address, such as https://opendsr.example.com`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError(`${name} must have no credentials, query or fragment in it`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowHttp) {
    throw new TypeError(
      `${name} begins with http:, so secrets and identities could be read on the way; use https, or set allowHttp`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Without the slash, the path would become a part of the host, and the token would go elsewhere. */
export function readPath(name: string, value: string): string {
  if (value.startsWith('/')) return value;
  throw new TypeError(`${name} must begin with a slash`);
}

/** Timers that are set for longer end at once. */
const MAX_NUMBER = 2 ** 31 - 1;

function readNumber(name: string, value: number, min: number): number {
  if (value >= min && value <= MAX_NUMBER) return value;
  throw new TypeError(`${name} must be a number from ${min} to ${MAX_NUMBER}`);
}
