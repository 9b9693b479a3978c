// Access tokens: one at a time, and one request for it however many calls wait.
import { readObject } from './answer.ts';
import {
  type ErrorFacts,
  RateLimitedError,
  TokenRefusedError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts';
import { type CredentialOptions, readAddress, type Settings } from './options.ts';
import { type Authorize, callWithRetries, retryAfter } from './retry.ts';
import { withholdRepeated } from './withhold.ts';

/** For processors that do not say how long a token is valid. A token that is refused is replaced anyway. */
const ASSUMED_LIFETIME_S = 300;
/** A token is replaced this long before it expires, or in its last tenth if that is shorter. */
const MARGIN_MS = 60_000;

interface Token {
  readonly header: string;
  readonly renewAt: number;
}

interface Fetching {
  readonly token: Promise<Token>;
  readonly controller: AbortController;
  waiting: number;
}

export function createTokenSource(
  credentials: CredentialOptions,
  settings: Settings,
  allowHttp: boolean | undefined,
): Authorize {
  const url = readAddress('tokenUrl', credentials.tokenUrl, allowHttp);
  let current: Token | undefined;
  let fetching: Fetching | undefined;

  function start(): Fetching {
    const controller = new AbortController();
    const token = fetchToken(url, credentials, settings, controller.signal);
    const started: Fetching = { token, controller, waiting: 0 };
    const end = () => {
      if (fetching === started) fetching = undefined;
    };
    token.then((it) => {
      if (fetching === started) current = it;
      end();
    }, end);
    return started;
  }

  return {
    async get(signal) {
      signal?.throwIfAborted();
      if (current !== undefined && settings.clock.now() < current.renewAt) return current.header;
      fetching ??= start();
      const joined = fetching;
      joined.waiting++;
      try {
        return (await unlessAborted(joined.token, signal)).header;
      } finally {
        // One caller that gives up must not take the token from the others.
        if (--joined.waiting === 0 && signal?.aborted) {
          if (fetching === joined) fetching = undefined;
          joined.controller.abort(signal.reason);
        }
      }
    },
    refused(header) {
      if (current?.header === header) current = undefined;
      return true;
    },
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function fetchToken(
  url: string,
  { clientId, clientSecret, audience }: CredentialOptions,
  settings: Settings,
  signal: AbortSignal,
): Promise<Token> {
  const asked = settings.clock.now();
  const { answer } = await callWithRetries(settings, {
    operation: 'token',
    request: {
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        client_id: clientId,
        client_secret: clientSecret,
        audience,
        grant_type: 'client_credentials',
      }),
    },
    authorize: undefined,
    signal,
  });
  const { status, requestId, bytes } = answer;
  const body = readObject(bytes);
  const processorMessage = withholdRepeated(messageOf(body), [clientSecret]);
  const facts: ErrorFacts = {
    operation: 'token',
    status,
    requestId,
    processorMessage,
    retryAfterMs: retryAfter(answer, settings.clock.now()),
  };
  const said = processorMessage === undefined ? '' : `: ${processorMessage}`;
  if (status === 429) {
    throw new RateLimitedError(`the token endpoint answers 429${said}; try again later`, facts);
  }
  if (status >= 500) {
    throw new UnavailableError(`the token endpoint answers ${status}${said}`, facts);
  }
  if (status >= 400) {
    throw new TokenRefusedError(
      `the token endpoint answers ${status}${said}; check clientId, clientSecret, audience and tokenUrl`,
      facts,
    );
  }
  const { access_token: token, expires_in: seconds } = body ?? {};
  if (status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new UnexpectedAnswerError(
      `the token endpoint answers ${status} without an access_token; check tokenUrl`,
      facts,
    );
  }
  const isGiven = typeof seconds === 'number' && seconds > 0;
  const lifetime = (isGiven ? seconds : ASSUMED_LIFETIME_S) * 1000;
  return {
    header: `Bearer ${token}`,
    renewAt: asked + lifetime - Math.min(MARGIN_MS, lifetime / 10),
  };
}

/** The contract's error shape, or that of RFC 6749. */
function messageOf(body: Readonly<Record<string, unknown>> | undefined): unknown {
  const error = body?.error;
  if (typeof error === 'object' && error !== null) return (error as { message?: unknown }).message;
  return body?.error_description ?? error;
}
