// Contract 5.3: OAuth 2.0 client credentials.
import { readStrictJson } from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';
import type { AccessTokens } from '../../auth/access-token.ts';
import type { AuthenticateClient } from '../../auth/authenticate-client.ts';
import type { FailureThrottle } from '../../auth/throttle-failures.ts';
import type { UsableSecret } from '../../domain/tenant/tenants.ts';
import { errorResponses } from '../error-responses.ts';
import type { ErrorLog } from '../errors.ts';
import { chargeBodies } from '../limits/charge-bodies.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { callerAt, type WaitingBytes } from '../limits/waiting-bytes.ts';
import { createRequireMediaType } from '../media-type.ts';
import { readBody } from '../read-body.ts';
import { writeJson } from '../write-json.ts';
import { createTokenErrorHandler, NOT_TO_BE_STORED, TokenError } from './token-error.ts';
import {
  type Credentials,
  checkAudience,
  checkGrantType,
  credentialsOf,
  fieldsFromForm,
  fieldsFromJson,
  readBasic,
  type TokenFields,
} from './token-request.ts';

export interface TokenEndpointDeps {
  readonly tokens: AccessTokens;
  readonly authenticateClient: AuthenticateClient;
  readonly throttle: FailureThrottle;
  /** Limits the tokens of each controller, because every token costs a signature. */
  readonly rateLimit: Pick<RateLimit, 'refuse'>;
  /** A secret was wrong, or not checked because there were too many wrong ones before. */
  readonly loginFailed: (failed: {
    readonly clientId: string;
    readonly address: string;
    readonly isThrottled: boolean;
  }) => void;
  readonly audience: string;
  readonly waitingBytes: WaitingBytes;
  readonly errorLog: ErrorLog;
  readonly isClosing: () => boolean;
}

const tokenSchema = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in'],
  properties: {
    access_token: { type: 'string' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Seconds' },
  },
} as const;

const tokenRequestSchema = {
  type: 'object',
  required: ['audience', 'grant_type'],
  properties: {
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
    audience: { type: 'string' },
    grant_type: { const: 'client_credentials' },
  },
} as const;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

export function registerToken(app: FastifyInstance, deps: TokenEndpointDeps): void {
  void app.register(async (scope) => {
    scope.setErrorHandler(createTokenErrorHandler(deps.errorLog, deps.isClosing));
    const roomFor = chargeBodies(scope, deps.waitingBytes, ({ ip }) => callerAt(ip));
    const parse = (type: string, fieldsOf: (bytes: Buffer) => TokenFields) =>
      scope.addContentTypeParser(type, (request, _, done) => {
        const read = (error: Error | null, bytes?: Buffer) =>
          error === null && bytes ? finish(done, () => fieldsOf(bytes)) : done(error);
        readBody(request.raw, read, roomFor(request));
      });
    parse(JSON_TYPE, (bytes) => fieldsFromJson(readStrictJson(bytes)));
    parse(FORM_TYPE, fieldsFromForm);

    scope.post<{ Body: TokenFields }>(
      '/oauth/token',
      {
        onRequest: createRequireMediaType([JSON_TYPE, FORM_TYPE]),
        // The handler checks step by step, because the checks have an order and two shapes of errors.
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'getToken',
          summary: 'Get an access token (client credentials)',
          description:
            'As JSON or as a form; client_id and client_secret in the body or by HTTP Basic. Errors have the shape of this API for JSON bodies, and that of RFC 6749 5.2 for forms. 401: the credentials are missing or wrong.',
          tags: ['Tokens'],
          security: [],
          body: {
            content: {
              [JSON_TYPE]: { schema: tokenRequestSchema },
              [FORM_TYPE]: { schema: tokenRequestSchema },
            },
          },
          response: { 200: tokenSchema, ...errorResponses(400, 401, 413, 415, 429) },
        },
      },
      async (request, reply) => {
        const fields = request.body;
        if (request.headerFindings.authorizations > 1) {
          throw new TokenError(400, 'invalid_request', 'Send at most one Authorization header');
        }
        checkGrantType(fields);
        const basic = readBasic(request.headers.authorization);
        const credentials = credentialsOf(fields, basic);
        const secret = await checkCredentials(credentials, basic.tried, request.ip);
        checkAudience(fields, deps.audience);
        const refused = deps.rateLimit.refuse(secret.controllerId);
        if (refused !== undefined)
          throw new TokenError(429, 'temporarily_unavailable', refused.message, refused.headers);
        const { accessToken, expiresIn } = await deps.tokens.issue(secret);
        const answer = { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn };
        reply.hijack();
        if (deps.isClosing()) reply.raw.shouldKeepAlive = false;
        writeJson(reply.raw, 200, request.id, JSON.stringify(answer), NOT_TO_BE_STORED);
      },
    );
  });

  async function checkCredentials(
    credentials: Credentials | undefined,
    basicTried: boolean,
    address: string,
  ): Promise<UsableSecret & { clientId: string }> {
    const challenge: Record<string, string> = basicTried
      ? { 'www-authenticate': 'Basic realm="unwrite", charset="UTF-8"' }
      : {};
    if (credentials === undefined) {
      throw new TokenError(
        401,
        'invalid_client',
        'client_id and client_secret are needed',
        challenge,
      );
    }
    const { clientId, clientSecret } = credentials;
    const wait = await deps.throttle.wait(clientId, address);
    if (wait > 0) deps.loginFailed({ clientId, address, isThrottled: true });
    refuseForAWhile(wait);
    const secret = await lookAt(clientId, clientSecret, address);
    if (secret !== undefined) return { ...secret, clientId };
    deps.loginFailed({ clientId, address, isThrottled: false });
    refuseForAWhile(await deps.throttle.failed(clientId, address));
    throw new TokenError(401, 'invalid_client', 'client_id or client_secret is wrong', challenge);
  }

  async function lookAt(
    clientId: string,
    clientSecret: string,
    address: string,
  ): Promise<UsableSecret | undefined> {
    let isWrong = false;
    try {
      const secret = await deps.authenticateClient(clientId, clientSecret);
      isWrong = secret === undefined;
      return secret;
    } finally {
      if (!isWrong) deps.throttle.passed(clientId, address);
    }
  }
}

function refuseForAWhile(seconds: number): void {
  if (seconds === 0) return;
  throw new TokenError(
    429,
    'temporarily_unavailable',
    'Too many failed attempts for this client; wait, check the secret, and try again',
    { 'retry-after': String(seconds) },
  );
}

function finish<T>(done: (error: Error | null, body?: T) => void, read: () => T): void {
  let body: T;
  try {
    body = read();
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}
