// Builds the API for controllers: tokens, the four endpoints, receipts.
import type { FastifyInstance } from 'fastify';
import { keyShape } from '../audit/published-key.ts';
import { createAccessTokens } from '../auth/access-token.ts';
import { createAuthentication } from '../auth/authenticate.ts';
import { createAuthenticateClient } from '../auth/authenticate-client.ts';
import type { SigningKeys } from '../auth/signing-keys.ts';
import { createSsoVerifier } from '../auth/sso/verify-token.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { ServingStore, Store } from '../domain/store/store.ts';
import type { ErrorLog, SendError } from '../http/errors.ts';
import { createRateLimit, NO_RATE_LIMIT } from '../http/limits/rate-limit.ts';
import { createWaitingBytes } from '../http/limits/waiting-bytes.ts';
import { registerOAuthMetadata } from '../http/oauth/metadata.ts';
import { registerToken } from '../http/oauth/post-token.ts';
import { type OpendsrDeps, registerOpendsr } from '../http/opendsr/routes.ts';
import type { Signing } from '../http/opendsr/send-answer.ts';
import { registerApiDocs } from '../http/pages/api-docs.ts';
import { registerReceipts } from '../http/receipts/routes.ts';
import { renderReceipt } from '../receipts/render-receipt.ts';
import { reasonOf } from '../telemetry/http-log.ts';
import type { Log } from '../telemetry/log.ts';
import { createLoginLog } from '../telemetry/login-log.ts';
import type { VaultKeys } from '../vault/load-keys.ts';
import { openProof } from './proof/proof.ts';
import type { Serving } from './serving.ts';
import { VERSION } from './version.ts';

export interface ApiParts {
  readonly config: Config;
  readonly store: Store;
  readonly vaultKeys: VaultKeys;
  readonly signingKeys: SigningKeys;
  readonly serving: Serving;
  readonly requests: ServingStore;
  readonly log: Log;
  readonly errorLog: ErrorLog;
  readonly sendError: SendError;
  readonly makeRequestId: OpendsrDeps['makeRequestId'];
  readonly answered: OpendsrDeps['answered'];
  readonly isClosing: () => boolean;
  readonly recheckMs: number;
  readonly signing: Signing | undefined;
}

/** Tokens expire by the store's clock, so that all nodes agree. */
export function createTokens(config: Config, keys: SigningKeys, clock: Clock) {
  return createAccessTokens({
    keys,
    clock,
    issuer: config.publicUrl,
    audience: config.audience,
    lifetimeSeconds: config.tokenLifetime,
  });
}

export async function registerApi(app: FastifyInstance, parts: ApiParts): Promise<void> {
  const { config, store, vaultKeys, signingKeys, serving, requests, log, isClosing } = parts;
  const { clock } = store;
  const tokens = createTokens(config, signingKeys, clock);
  const authentication = createAuthentication({
    tokens,
    keys: signingKeys,
    tenants: store.tenants,
    sso: createSsoVerifier(config.sso, store.tenants, Date.now, (issuer, error) =>
      log.warn(
        { issuer, reason: reasonOf(error) },
        'an issuer cannot be reached; its users are refused until it is back',
      ),
    ),
    issuer: config.publicUrl,
    clock,
    recheckMs: parts.recheckMs,
  });
  const newRateLimit = () =>
    config.rateLimit === null
      ? NO_RATE_LIMIT
      : createRateLimit({
          perMinute: config.rateLimit,
          nodes: serving.apiNodes,
          now: () => performance.now(),
        });
  const rateLimit = newRateLimit();
  const waitingBytes = createWaitingBytes(config.limitsWaiting);
  registerApiDocs(app, {
    publicUrl: config.publicUrl,
    version: VERSION,
    hasConsole: config.operatorPort === null,
  });
  registerOpendsr(app, {
    requests,
    ...authentication,
    rateLimit,
    waitingBytes,
    domain: config.domain,
    publicUrl: config.publicUrl,
    signing: parts.signing,
    isClosing,
    makeRequestId: parts.makeRequestId,
    sendError: parts.sendError,
    answered: parts.answered,
    serveDirectly: !log.isLevelEnabled('debug'),
  });
  const proof = await openProof(store, vaultKeys.ring, config.domain, {
    // The newest head is compared and written down every second.
    writeDownHead: async () => undefined,
    witnessFile: config.auditWitnessFile,
    log: (level, fields, message) => log[level](fields, message),
  });
  registerReceipts(app, {
    requests,
    authenticate: authentication.authenticate,
    rateLimit,
    given: store.receipts.given,
    issueNow: (request) => proof.receipts.receiptsOf(request, clock()),
    render: renderReceipt,
    keys: () =>
      proof.signer.withNewestKeys(async () => {
        const { publicKey, published } = proof.signer;
        return { publicKey, list: published.map(keyShape) };
      }),
    proofs: proof.proofs,
  });
  registerToken(app, {
    tokens,
    // Measures intervals, so it must not follow a system clock that can be set back.
    authenticateClient: createAuthenticateClient(store.tenants, () => performance.now()),
    throttle: serving.throttle,
    // Tokens have their own bucket: a controller at its limit of calls still gets one.
    rateLimit: newRateLimit(),
    loginFailed: createLoginLog(log),
    audience: config.audience,
    waitingBytes,
    errorLog: parts.errorLog,
    isClosing,
  });
  registerOAuthMetadata(app, config.publicUrl, signingKeys);
}
