// Decides: defaults, and what follows from what. Everything below works with this alone.
import { join, resolve } from 'node:path';
import type { TargetConfig } from '../domain/target/target.ts';
import type { SsoIssuer } from '../domain/tenant/sso-issuer.ts';
import { looseFiles } from './loose-files.ts';
import { type Flags, type GivenConfig, readSettings } from './read-settings.ts';
import type { Environment } from './setting.ts';
import { type DefaultedKey, givenOrDefault, type SettingKey } from './settings.ts';
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
  readonly proofKeyRotation: number;
  readonly digestKeyRotation: number;
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
  const of = <K extends DefaultedKey>(key: K) => givenOrDefault(values, key);
  const port = of('port');
  const dataDir = resolve(directory, of('dataDir'));
  const publicUrl =
    values.publicUrl ?? `${values.tlsCertificate ? 'https' : 'http'}://localhost:${port}`;
  return {
    host: of('host'),
    port,
    dataDir,
    store: of('store'),
    storeSchema: of('storeSchema'),
    storePoolSize: of('storePoolSize'),
    storeStatementTimeout: of('storeStatementTimeout'),
    storePrepare: of('storePrepare'),
    role: of('role'),
    concurrency: of('concurrency'),
    publicUrl,
    domain: values.domain ?? new URL(publicUrl).hostname,
    audience: values.audience ?? publicUrl,
    tokenLifetime: of('tokenLifetime'),
    signingKeyRotation: of('signingKeyRotation'),
    proofKeyRotation: of('proofKeyRotation'),
    digestKeyRotation: of('digestKeyRotation'),
    cancellationWindow: of('cancellationWindow'),
    retryDelay: of('retryDelay'),
    retentionIdentities: of('retentionIdentities'),
    retentionRecords: of('retentionRecords'),
    retentionBackups: of('retentionBackups'),
    maxStartsPerDay: of('maxStartsPerDay'),
    notFoundAlarm: of('notFoundAlarm'),
    alarmsWebhook: values.alarmsWebhook,
    alarmsWebhookSecret: values.alarmsWebhookSecret,
    managementHost: of('managementHost'),
    managementPort: of('managementPort'),
    rateLimit: of('rateLimit'),
    tlsCertificate: values.tlsCertificate && resolve(directory, values.tlsCertificate),
    tlsKey: values.tlsKey && resolve(directory, values.tlsKey),
    limitsConnections: of('limitsConnections'),
    limitsConnectionsPerAddress: of('limitsConnectionsPerAddress'),
    limitsRequestsPerConnection: of('limitsRequestsPerConnection'),
    limitsPipelined: of('limitsPipelined'),
    limitsAnswerTimeout: of('limitsAnswerTimeout'),
    limitsWaiting: of('limitsWaiting'),
    masterKey: values.masterKey,
    masterKeyPrevious: values.masterKeyPrevious,
    masterKeyFile: resolve(directory, values.masterKeyFile ?? join(dataDir, 'master.key')),
    logLevel: of('logLevel'),
    trustProxy: of('trustProxy'),
    drainDelay: of('drainDelay'),
    demo: of('demo'),
    sso: values.sso ?? [],
    targets: values.targets ?? [],
  };
}
