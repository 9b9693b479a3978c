// A whole service in this process: real HTTP on loopback, a real store, real threads.

import { type Installation, openInstallation } from '../../../src/app/installation.ts';
import { createService, type Service } from '../../../src/app/service.ts';
import { createProvision } from '../../../src/auth/provision.ts';
import { clientCredentials } from '../../../src/cli/client/credentials.ts';
import { type Config, loadConfig } from '../../../src/config/config.ts';
import type { Setting } from '../../../src/config/setting.ts';
import { SETTINGS } from '../../../src/config/settings.ts';
import type { PollIntervals } from '../../../src/queue/poll-intervals.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { freePort } from '../free-port.ts';
import { type Credentials, getToken } from '../http/api.ts';
import { makeStoreFolder } from '../stores/store-folder.ts';

export interface TestService {
  readonly url: string;
  readonly config: Config;
  readonly dataDir: string;
  readonly installation: Installation;
  /** Makes a client, and its controller if that is new. */
  client(controllerId: string): Promise<Credentials>;
  /** A fresh token of a fresh client of the controller. */
  token(controllerId?: string): Promise<string>;
  readonly reload: Service['reload'];
  close(): Promise<void>;
}

/** `flags` are settings by their keys in config/settings.ts, such as `{ tokenLifetime: '60s' }`. */
export async function startService(flags: Record<string, unknown> = {}): Promise<TestService> {
  const folder = await makeStoreFolder();
  const service = await startServiceIn(folder.path, flags);
  return {
    ...service,
    async close() {
      await service.close();
      folder.remove();
    },
  };
}

/** With a data folder that stays. */
export async function startServiceIn(
  dataDir: string,
  flags: Record<string, unknown>,
  intervals?: PollIntervals,
): Promise<TestService> {
  const port = await freePort();
  const given = withoutSecrets({ port, dataDir, logLevel: 'silent', ...flags });
  const read = () => loadConfig(given.flags, given.environment, dataDir);
  const loaded = read();
  const { config } = loaded;
  const installation = await openInstallation(config, intervals);
  const log = await createLog(config.logLevel);
  const service = await createService(loaded, installation, log, intervals, read);
  await service.listen();
  const url = `http://127.0.0.1:${config.port}`;
  const { tenants, tenantWriter, clock } = installation.store;
  const provision = createProvision({ tenants, tenantWriter, clock }, 'operator:test');

  async function client(controllerId: string): Promise<Credentials> {
    const { clientId, secret } = await provision.client(controllerId, null);
    return clientCredentials(config, controllerId, clientId, secret);
  }

  return {
    url,
    config,
    dataDir,
    installation,
    client,
    token: async (controllerId = 'acme') =>
      getToken({ ...(await client(controllerId)), token_url: `${url}/oauth/token` }),
    reload: service.reload,
    async close() {
      await service.close();
      await installation.close();
    },
  };
}

/** Secrets are not accepted as flags: they go into the environment. */
export function withoutSecrets(given: Record<string, unknown>): {
  flags: Record<string, unknown>;
  environment: Record<string, string>;
} {
  const flags: Record<string, unknown> = {};
  const environment: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    const setting = (SETTINGS as Record<string, Setting<unknown>>)[key];
    if (setting?.secret && setting.environment) environment[setting.environment] = String(value);
    else flags[key] = value;
  }
  return { flags, environment };
}
