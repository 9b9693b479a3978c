// Builds the operator API: on the server of controllers, or on a port of its own.
import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { createOperatorClients } from '../auth/operator/operator-clients.ts';
import type { Config } from '../config/config.ts';
import { registerConsole } from '../http/console/routes.ts';
import type { ErrorLog } from '../http/errors.ts';
import { createWaitingBytes } from '../http/limits/waiting-bytes.ts';
import { registerOperator } from '../http/operator/routes.ts';
import { registerHealth } from '../http/pages/health.ts';
import type { Log } from '../telemetry/log.ts';
import type { Installation } from './installation.ts';
import { limitServer } from './limits.ts';
import { createOperatorContext, type GivenSettings } from './operator-context.ts';
import { createSignInContext } from './operator-sign-in.ts';
import { VERSION } from './version.ts';

export interface OperatorApiParts {
  readonly config: Config;
  readonly given: GivenSettings;
  readonly installation: Installation;
  readonly log: Log;
  readonly errorLog: ErrorLog;
  readonly isClosing: () => boolean;
  readonly notReadyBecause: () => Promise<string[]>;
}

export function registerOperatorApi(app: FastifyInstance, parts: OperatorApiParts): void {
  const { config, installation, errorLog, isClosing } = parts;
  const { store } = installation;
  registerOperator(app, {
    signIn: createSignInContext(config, store, errorLog),
    clients: createOperatorClients(store.operators, store.clock),
    context: createOperatorContext(parts),
    waitingBytes: createWaitingBytes(config.limitsWaiting),
    errorLog,
    isClosing,
    operatorUrl: config.operatorUrl,
    version: VERSION,
  });
  registerConsole(app);
}

export interface OperatorServer {
  readonly app: FastifyInstance;
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** For `operator_port`: a server with nothing but what is for operators, and its health. */
export function createOperatorServer(
  app: FastifyInstance,
  parts: OperatorApiParts,
): OperatorServer {
  const { config, log } = parts;
  registerOperatorApi(app, parts);
  registerHealth(app, parts.notReadyBecause, VERSION);
  limitServer(app.server, config, log);
  return {
    app,
    async listen() {
      const { address } = await lookup(config.operatorHost);
      await app.listen({ host: address, port: config.operatorPort ?? 0 });
    },
    close: () => app.close(),
  };
}
