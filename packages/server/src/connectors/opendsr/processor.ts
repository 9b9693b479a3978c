// The other processor, as its controller sees it. Every call is made once: who calls again is decided by our store, which knows
// what was sent. Services answer 400 where others say 404 (unknown) or 409 (the id is taken).
import { createHash } from 'node:crypto';
import {
  ConflictError,
  createAnswerVerifier,
  ErasureClient,
  ErasureError,
  type ErasureRequest,
  InvalidRequestError,
  NotFoundError,
  type OpenDsrDiscovery,
  type OpenDsrRequestStatus,
} from '@unwrite/client';
import { type Failed, TargetDown } from '../../domain/target/connector.ts';
import type { OpendsrTargetConfig } from '../../domain/target/target.ts';
import type { Lookup } from '../../outbound/reachable-addresses.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

export interface Seen {
  readonly status: OpenDsrRequestStatus;
  /** As the answer says. */
  readonly domain: string | undefined;
}

export interface Processor {
  discover(): Promise<{ readonly body: OpenDsrDiscovery; readonly domain: string | undefined }>;
  /** Undefined: it knows no such request. */
  status(id: string): Promise<Seen | undefined>;
  /** `mayBeThere`: an earlier call may have reached it. Undefined once it has the request. */
  submit(
    request: ErasureRequest & { readonly subject_request_id: string },
    mayBeThere: boolean,
  ): Promise<Failed | undefined>;
  /** Digest of its receipt; undefined if it has none. */
  receiptDigest(id: string): Promise<string | undefined>;
}

export function createProcessor(config: OpendsrTargetConfig, lookup: Lookup): Processor {
  const { url, requestsPath, auth, signed, allowPrivate, timeout } = config;
  const { host } = new URL(url);
  const { fetch, messageOf } = createGuardedFetch(allowPrivate, lookup);
  const client = new ErasureClient({
    baseUrl: url,
    requestsPath,
    fetch,
    maxAttempts: 1,
    timeoutMs: timeout,
    // Which addresses may be called without TLS is decided by allow_private.
    allowHttp: true,
    ...(signed !== null && { verify: createAnswerVerifier(signed) }),
    ...(auth.kind === 'oauth'
      ? {
          tokenUrl: auth.tokenUrl,
          clientId: auth.clientId,
          clientSecret: auth.clientSecret,
          audience: auth.audience,
        }
      : { authorization: () => authorizationOf(auth) }),
  });

  async function status(id: string): Promise<Seen | undefined> {
    try {
      const { body, domain } = await client.status(id);
      return { status: body.request_status, domain };
    } catch (error) {
      if (isUnknown(error)) return undefined;
      throw targetDown(error);
    }
  }

  /** Our own words: what a processor says may quote what it was sent. */
  function targetDown(error: unknown): unknown {
    if (!(error instanceof ErasureError)) return error;
    const [code, message] = wordsOf(error, host, messageOf);
    return new TargetDown(code, message);
  }

  return {
    status,
    async discover() {
      try {
        const { body, domain } = await client.discover();
        return { body, domain };
      } catch (error) {
        throw targetDown(error);
      }
    },
    async submit(request, mayBeThere) {
      const { subject_request_id: id } = request;
      if (mayBeThere && (await status(id)) !== undefined) return undefined;
      try {
        await client.submit(request);
        return undefined;
      } catch (error) {
        const isTaken = error instanceof ConflictError;
        const isRefused = error instanceof InvalidRequestError;
        if (!isTaken && !isRefused) throw targetDown(error);
        if (!isTaken && (await status(id)) === undefined) return refused(host, error.status ?? 400);
        return mayBeThere ? undefined : TAKEN;
      }
    },
    async receiptDigest(id) {
      try {
        const { bytes } = await client.receipt(id);
        return createHash('sha256').update(bytes).digest('hex');
      } catch (error) {
        if (error instanceof ErasureError && error.code !== 'no_answer') return undefined;
        throw targetDown(error);
      }
    },
  };
}

function authorizationOf(auth: Exclude<OpendsrTargetConfig['auth'], { kind: 'oauth' }>): string {
  return auth.kind === 'bearer'
    ? `Bearer ${auth.token}`
    : `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`;
}

const isUnknown = (error: unknown) =>
  error instanceof NotFoundError || (error instanceof InvalidRequestError && error.status === 400);

const TAKEN: Failed = {
  outcome: 'failed',
  code: 'duplicate_id',
  detail:
    'the other processor has a request with the id that was made for this one, and it was not sent from here; it is sent again with another id',
  isVoid: true,
};

function refused(host: string, status: number): Failed {
  return {
    outcome: 'failed',
    code: 'refused',
    detail: `${host} refused the request (${status}); see that it takes its types of identities, and that it has not come from ${host} itself`,
    isVoid: true,
  };
}

function wordsOf(
  { code, status, reason = '' }: ErasureError,
  host: string,
  messageOf: (code: string) => string | undefined,
): [code: string, message: string] {
  switch (code) {
    case 'no_answer': {
      const own = reason.toLowerCase();
      return [own, messageOf(own) ?? `${host} did not answer in time`];
    }
    case 'rate_limited':
      return [code, `${host} is limiting the rate of calls (429)`];
    case 'unavailable':
      return [`http_${status}`, `${host} answered ${status}`];
    case 'unauthorized':
    case 'token_refused':
      return [
        'auth_refused',
        `${host} refused the credentials; correct oauth, bearer or basic of the target`,
      ];
    case 'not_signed':
      return [
        code,
        `${host} answered without the signature that "signed" of the target demands; has it a new certificate?`,
      ];
    case 'not_found':
      return ['http_404', `${host} answered 404; correct url and requests_path of the target`];
    default:
      return ['bad_answer', `${host} did not answer as an OpenDSR processor does; is url right?`];
  }
}
