// The connector of a target. Each kind is loaded when it is first needed: drivers and HTTP cost memory.
import { setTimeout } from 'node:timers/promises';
import type { Connector } from '../domain/target/connector.ts';
import type { TargetConfig } from '../domain/target/target.ts';
import type { RestartBudget } from './module/restart-budget.ts';

export interface ConnectorDeps {
  /** Keyed digests, for columns that are overwritten by a hash. */
  readonly hash: (value: string) => string;
  /** Limits restarts of modules' processes; one for all connectors of a worker. */
  readonly restarts?: RestartBudget;
  /** Of this processor. */
  readonly domain: string;
}

export async function createConnector(
  config: TargetConfig,
  deps: ConnectorDeps,
): Promise<Connector> {
  if ('work' in config) {
    const { createSqlConnector } = await import('./sql/create-sql-connector.ts');
    return createSqlConnector(config, deps);
  }
  switch (config.connector) {
    case 'http': {
      const { createHttpConnector } = await import('./http/create-http-connector.ts');
      return createHttpConnector(config);
    }
    case 'opendsr': {
      const { createOpendsrConnector } = await import('./opendsr/create-opendsr-connector.ts');
      return createOpendsrConnector(config, deps);
    }
    case 'rest': {
      const { createRestConnector } = await import('./rest/create-rest-connector.ts');
      return createRestConnector(config);
    }
    case 's3': {
      const { createS3Connector } = await import('./s3/create-s3-connector.ts');
      return createS3Connector(config);
    }
    case 'module': {
      const { createModuleConnector } = await import('./module/create-module-connector.ts');
      return createModuleConnector(config, deps);
    }
    case 'sandbox': {
      const { createSandboxConnector } = await import('./sandbox/create-sandbox-connector.ts');
      return createSandboxConnector({
        wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
      });
    }
    case 'manual':
      throw new Error(
        `${config.name} is a manual target: a person erases, and no worker leases it`,
      );
  }
}
