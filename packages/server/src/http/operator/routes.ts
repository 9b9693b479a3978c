// The operator API: /operator/v1. One hook authenticates and checks the role that each route names.
import { readStrictJson } from '@unwrite/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OperatorClients } from '../../auth/operator/operator-clients.ts';
import { ApiError } from '../api-error.ts';
import type { ErrorLog } from '../errors.ts';
import { chargeBodies } from '../limits/charge-bodies.ts';
import { callerAt, knownCaller, type WaitingBytes } from '../limits/waiting-bytes.ts';
import { readBody } from '../read-body.ts';
import { createOperatorErrorHandler } from './answer-errors.ts';
import { createAuthenticateOperator } from './authenticate-operator.ts';
import type { OperatorContext } from './context.ts';
import { getSession } from './get-session.ts';
import { registerOperatorDocument } from './openapi.ts';
import { registerOperatorRoutes } from './register.ts';
import type { SignInContext } from './sign-in/context.ts';
import { getSignInOptions } from './sign-in/get-options.ts';
import { getSignInPage } from './sign-in/get-page.ts';
import { registerOperatorClients } from './sign-in/operator-clients.ts';
import { postLink } from './sign-in/post-link.ts';
import { postSignOut } from './sign-in/post-sign-out.ts';
import { registerSessions, type SessionsContext } from './sign-in/sessions.ts';
import { registerSso } from './sign-in/sso.ts';
import { operatorValidator } from './validate.ts';

export interface OperatorDeps {
  readonly signIn: SignInContext & SessionsContext;
  readonly clients: OperatorClients;
  readonly context: OperatorContext;
  readonly waitingBytes: WaitingBytes;
  readonly errorLog: ErrorLog;
  readonly isClosing: () => boolean;
  readonly operatorUrl: string;
  readonly version: string;
}

export function registerOperator(app: FastifyInstance, deps: OperatorDeps): void {
  void app.register(async (scope) => {
    await setUpScope(scope, deps);
    await registerOperatorDocument(scope, deps.operatorUrl, deps.version);
    getSignInPage(scope, deps.signIn);
    void scope.register(async (v1) => registerRoutes(v1, deps), { prefix: '/operator/v1' });
  });
}

function registerRoutes(v1: FastifyInstance, deps: OperatorDeps): void {
  registerSignIn(v1, deps.signIn);
  registerSessions(v1, deps.signIn);
  registerOperatorClients(v1, deps.clients);
  registerOperatorRoutes(v1, deps.context);
}

function registerSignIn(v1: FastifyInstance, signIn: SignInContext & SessionsContext): void {
  getSession(v1);
  getSignInOptions(v1, signIn);
  postLink(v1, signIn);
  registerSso(v1, signIn);
  postSignOut(v1, signIn, signIn.clock);
}

async function setUpScope(scope: FastifyInstance, deps: OperatorDeps): Promise<void> {
  scope.setErrorHandler(createOperatorErrorHandler(deps.errorLog, deps.isClosing));
  scope.setValidatorCompiler(operatorValidator);
  scope.decorateRequest('operator');
  scope.decorateRequest('operatorSession');
  scope.decorateRequest('stillSignedIn');
  scope.addHook('onRoute', ({ url, config }) => {
    if (config?.role === undefined) throw new Error(`${url} does not say which role it needs`);
  });
  scope.addHook('onRequest', refuseNul);
  scope.addHook('onRequest', createAuthenticateOperator(deps.signIn.authentication));
  scope.addHook('onSend', (_, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    done(null, payload);
  });
  readJsonBodies(scope, deps.waitingBytes);
}

function readJsonBodies(scope: FastifyInstance, waitingBytes: WaitingBytes): void {
  const roomFor = chargeBodies(scope, waitingBytes, callerOf);
  scope.addContentTypeParser('application/json', (request, _, done) => {
    const read = (error: Error | null, bytes?: Buffer) => {
      if (error !== null || bytes === undefined) return done(error);
      try {
        done(null, bytes.length === 0 ? undefined : readStrictJson(bytes));
      } catch (problem) {
        done(problem as Error);
      }
    };
    readBody(request.raw, read, roomFor(request));
  });
}

/** During sign-in the operator is not known yet. */
function callerOf({ operator, ip }: FastifyRequest): string {
  return operator === undefined ? callerAt(ip) : knownCaller(operator.name);
}

/** No store can hold NUL in a text, so nothing can be found by it. */
async function refuseNul({ raw }: FastifyRequest): Promise<void> {
  if (raw.url?.includes('%00'))
    throw new ApiError(400, 'The address must not contain a NUL character');
}
