// The four endpoints, at / and at /v2: the specification requires the major version in the address, and a plain
// base address must work too.

import type { IncomingMessage } from 'node:http';
import { readStrictJson } from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';
import type { Authenticate, Recall } from '../../auth/authenticate.ts';
import type { RequestStore } from '../../domain/request/request-ports.ts';
import type { SendError } from '../errors.ts';
import { chargeBodies } from '../limits/charge-bodies.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { knownCaller, type WaitingBytes } from '../limits/waiting-bytes.ts';
import { readBody } from '../read-body.ts';
import { createRequireToken } from './authenticated.ts';
import type { OpendsrContext } from './context.ts';
import { deleteRequest } from './delete-request.ts';
import { createDirect } from './direct.ts';
import { CERTIFICATE_PATH, getCertificate } from './get-certificate.ts';
import { getDiscovery } from './get-discovery.ts';
import { getRequest } from './get-request.ts';
import { postRequest } from './post-request.ts';
import { createSendAnswer, type Signing } from './send-answer.ts';
import { takeBefore } from './take-before.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The exact bytes of the body, for encoded_request. Never stored, never logged. */
    rawBody: Buffer;
  }
}

export interface OpendsrDeps {
  readonly requests: RequestStore;
  readonly authenticate: Authenticate;
  readonly recall: Recall;
  readonly rateLimit: RateLimit;
  readonly waitingBytes: WaitingBytes;
  readonly makeRequestId: (request: IncomingMessage) => string;
  readonly sendError: SendError;
  /** Told of answers that bypass the framework. */
  readonly answered: (route: string, status: number, ms: number) => void;
  /** Off if every call is logged, because the framework's hooks do that. */
  readonly serveDirectly: boolean;
  readonly domain: string;
  readonly publicUrl: string;
  /** Undefined without a certificate. */
  readonly signing: Signing | undefined;
  /** While true, answers ask for the connection to be closed. */
  readonly isClosing: () => boolean;
}

export function registerOpendsr(app: FastifyInstance, deps: OpendsrDeps): void {
  const context: OpendsrContext = {
    requests: deps.requests,
    domain: deps.domain,
    requireToken: createRequireToken(deps.authenticate, deps.rateLimit),
    sendAnswer: createSendAnswer(deps),
    certificateUrl: deps.signing && deps.publicUrl + CERTIFICATE_PATH,
  };
  if (deps.signing !== undefined) getCertificate(app, deps.signing.pem);
  for (const prefix of ['', '/v2']) {
    void app.register(
      async (scope) => {
        const roomFor = chargeBodies(scope, deps.waitingBytes, ({ principal }) =>
          knownCaller(principal.controllerId),
        );
        scope.addContentTypeParser('application/json', (request, _, done) => {
          const read = (error: Error | null, bytes?: Buffer) => {
            if (error !== null || bytes === undefined) return done(error);
            request.rawBody = bytes;
            try {
              done(null, readStrictJson(bytes));
            } catch (problem) {
              done(problem as Error);
            }
          };
          readBody(request.raw, read, roomFor(request));
        });
        getDiscovery(scope, context);
        postRequest(scope, context);
        getRequest(scope, context);
        deleteRequest(scope, context);
      },
      { prefix },
    );
  }
  if (deps.serveDirectly) takeBefore(app.server, createDirect({ ...deps, ...context }));
}
