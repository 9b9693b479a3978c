// Decides: defaults, and what follows from what. Everything below works with this alone.
import { join, resolve } from 'node:path';
import type { TargetConfig } from '../domain/target/target.ts';
import type { SsoIssuer } from '../domain/tenant/sso-issuer.ts';
import { looseFiles } from './loose-files.ts';
import { type Flags, type GivenConfig, readSettings } from './read-settings.ts';
import type { Environment } from './setting.ts';
import type { SettingKey } from './settings.ts';
import type { TrustProxy } from './special-kinds.ts';
import { SQLITE } from './store-kind.ts';

/** What a node does. */
export type Role = 'all' | 'api' | 'worker';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `sqlite`, or the address of a PostgreSQL database. */
  readonly store: string;
  readonly storeSchema: string;
  readonly storePoolSize: number;
  /** Seconds; null: off. */
  readonly storeStatementTimeout: number | null;
  readonly storePrepare: boolean;
  readonly role: Role;
  readonly concurrency: number;
  readonly publicUrl: string;
  readonly domain: string;
  readonly audience: string;
  /** Durations are in seconds. */
  readonly tokenLifetime: number;
  readonly signingKeyRotation: number;
  readonly cancellationWindow: number;
  readonly retryDelay: number;
  readonly retentionIdentities: number;
  readonly retentionRecords: number;
  readonly retentionBackups: number;
  /** Of each controller; null: no limit. */
  readonly maxStartsPerDay: number | null;
  /** Percent; null: off. */
  readonly notFoundAlarm: number | null;
  readonly alarmsWebhook: string | undefined;
  readonly alarmsWebhookSecret: string | undefined;
  readonly managementHost: string;
  readonly managementPort: number | null;
  readonly tlsCertificate: string | undefined;
  readonly tlsKey: string | undefined;
  readonly rateLimit: number | null;
  readonly limitsConnections: number;
  readonly limitsConnectionsPerAddress: number | null;
  readonly limitsRequestsPerConnection: number;
  readonly limitsPipelined: number;
  readonly limitsAnswerTimeout: number;
  /** Bytes. */
  readonly limitsWaiting: number;
  readonly masterKey: string | undefined;
  readonly masterKeyPrevious: readonly string[] | undefined;
  readonly masterKeyFile: string;
  readonly logLevel: string;
  readonly trustProxy: TrustProxy;
  readonly drainDelay: number;
  readonly demo: boolean;
  readonly sso: readonly SsoIssuer[];
  /** In the order of the file. */
  readonly targets: readonly TargetConfig[];
}

/** sysexits.h, EX_CONFIG. */
export const EXIT_CONFIG = 78;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `the settings have ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}`,
    );
    this.problems = problems;
  }
}

export interface LoadedConfig {
  readonly config: Config;
  readonly sources: Partial<Record<SettingKey, string>>;
  readonly warnings: string[];
  readonly file: string | undefined;
}

export function loadConfig(
  flags: Flags,
  environment: Environment,
  directory: string,
): LoadedConfig {
  const given = readSettings(flags, environment, directory);
  const problems = [...given.problems];
  // The public address is in every token, so it cannot be whatever port happens to be free.
  if (given.values.port === 0 && given.values.publicUrl === undefined) {
    problems.push('port 0 takes any free port, so public_url must be given');
  }
  const { store = SQLITE, role = 'all' } = given.values;
  if (store === SQLITE && role !== 'all') {
    problems.push(
      `role ${role} needs a store that nodes can share: set store (UNWRITE_STORE) to postgres://…`,
    );
  }
  if ((given.values.tlsCertificate === undefined) !== (given.values.tlsKey === undefined)) {
    problems.push('tls.certificate and tls.key belong together: set both, or none of them');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const config = decide(given, directory);
  return {
    config,
    sources: given.sources,
    warnings: [...given.warnings, ...looseFiles(config, given, environment)],
    file: given.file,
  };
}

function decide({ values }: GivenConfig, directory: string): Config {
  const port = values.port ?? 8080;
  const dataDir = resolve(directory, values.dataDir ?? './data');
  const publicUrl =
    values.publicUrl ?? `${values.tlsCertificate ? 'https' : 'http'}://localhost:${port}`;
  return {
    host: values.host ?? '127.0.0.1',
    port,
    dataDir,
    store: values.store ?? SQLITE,
    storeSchema: values.storeSchema ?? 'unwrite',
    storePoolSize: values.storePoolSize ?? 10,
    storeStatementTimeout:
      values.storeStatementTimeout === undefined ? 30 : values.storeStatementTimeout,
    storePrepare: values.storePrepare ?? true,
    role: values.role ?? 'all',
    concurrency: values.concurrency ?? 4,
    publicUrl,
    domain: values.domain ?? new URL(publicUrl).hostname,
    audience: values.audience ?? publicUrl,
    tokenLifetime: values.tokenLifetime ?? 3600,
    signingKeyRotation: values.signingKeyRotation ?? 90 * 86_400,
    cancellationWindow: values.cancellationWindow ?? 86_400,
    retryDelay: values.retryDelay ?? 30,
    retentionIdentities: values.retentionIdentities ?? 35 * 86_400,
    retentionRecords: values.retentionRecords ?? 730 * 86_400,
    retentionBackups: values.retentionBackups ?? 35 * 86_400,
    maxStartsPerDay: values.maxStartsPerDay === undefined ? 10_000 : values.maxStartsPerDay,
    notFoundAlarm: values.notFoundAlarm === undefined ? 20 : values.notFoundAlarm,
    alarmsWebhook: values.alarmsWebhook,
    alarmsWebhookSecret: values.alarmsWebhookSecret,
    managementHost: values.managementHost ?? '127.0.0.1',
    managementPort: values.managementPort ?? null,
    tlsCertificate: values.tlsCertificate && resolve(directory, values.tlsCertificate),
    tlsKey: values.tlsKey && resolve(directory, values.tlsKey),
    rateLimit: values.rateLimit === undefined ? 60_000 : values.rateLimit,
    limitsConnections: values.limitsConnections ?? 4096,
    limitsConnectionsPerAddress:
      values.limitsConnectionsPerAddress === undefined ? 2048 : values.limitsConnectionsPerAddress,
    limitsRequestsPerConnection: values.limitsRequestsPerConnection ?? 10_000,
    limitsPipelined: values.limitsPipelined ?? 32,
    limitsAnswerTimeout: values.limitsAnswerTimeout ?? 30,
    limitsWaiting: values.limitsWaiting ?? 128 * 1_048_576,
    masterKey: values.masterKey,
    masterKeyPrevious: values.masterKeyPrevious,
    masterKeyFile: resolve(directory, values.masterKeyFile ?? join(dataDir, 'master.key')),
    logLevel: values.logLevel ?? 'info',
    trustProxy: values.trustProxy ?? false,
    drainDelay: values.drainDelay ?? 1,
    demo: values.demo ?? false,
    sso: values.sso ?? [],
    targets: values.targets ?? [],
  };
}
