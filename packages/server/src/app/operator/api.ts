// Builds the operator API; server.ts says where it answers.
import type { FastifyInstance } from 'fastify';
import { createOperatorClients } from '../../auth/operator/operator-clients.ts';
import type { Config } from '../../config/config.ts';
import type { DatedCertificate } from '../../domain/certificate/validity.ts';
import { registerConsole } from '../../http/console/routes.ts';
import type { ErrorLog } from '../../http/errors.ts';
import { createWaitingBytes } from '../../http/limits/waiting-bytes.ts';
import { registerOperator } from '../../http/operator/routes.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Installation } from '../installation.ts';
import type { LiveConfig } from '../settings/live-config.ts';
import type { ReloadSettings } from '../settings/reload-settings.ts';
import { VERSION } from '../version.ts';
import { createOperatorContext } from './context.ts';
import { createSignInContext } from './sign-in.ts';

export interface OperatorApiParts {
  readonly config: Config;
  readonly live: LiveConfig;
  readonly reload: ReloadSettings;
  readonly installation: Installation;
  readonly log: Log;
  readonly errorLog: ErrorLog;
  readonly isClosing: () => boolean;
  readonly notReadyBecause: () => Promise<string[]>;
  /** Undefined without one. */
  readonly processorCertificate: (() => DatedCertificate) | undefined;
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
