// Builds the operator API; operator-server.ts says where it answers.
import type { FastifyInstance } from 'fastify';
import { createOperatorClients } from '../auth/operator/operator-clients.ts';
import type { Config } from '../config/config.ts';
import type { Store } from '../domain/store/store.ts';
import type { ErrorLog } from '../http/errors.ts';
import { createWaitingBytes } from '../http/limits/waiting-bytes.ts';
import { registerOperator } from '../http/operator/routes.ts';
import type { Log } from '../telemetry/log.ts';
import { createSignInContext } from './operator-sign-in.ts';
import { VERSION } from './version.ts';

export interface OperatorApiParts {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly errorLog: ErrorLog;
  readonly isClosing: () => boolean;
}

export function registerOperatorApi(app: FastifyInstance, parts: OperatorApiParts): void {
  const { config, store, errorLog, isClosing } = parts;
  registerOperator(app, {
    signIn: createSignInContext(config, store, errorLog),
    clients: createOperatorClients(store.operators, store.clock),
    waitingBytes: createWaitingBytes(config.limitsWaiting),
    errorLog,
    isClosing,
    operatorUrl: config.operatorUrl,
    version: VERSION,
  });
}
