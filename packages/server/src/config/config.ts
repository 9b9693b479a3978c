// Applies defaults, and derives settings from each other. All other code uses only the result.

import { join, resolve } from 'node:path';
import type { TargetConfig } from '../domain/target/target.ts';
import type { SsoIssuer } from '../domain/tenant/sso-issuer.ts';
import { alarmProblems } from './alarm-settings.ts';
import { backupProblems } from './backup-settings.ts';
import { looseFiles } from './loose-files.ts';
import {
  decideOperator,
  type OperatorConfig,
  operatorProblems,
  operatorWarnings,
} from './operator-config.ts';
import { type Flags, type GivenConfig, readSettings } from './read-settings.ts';
import type { Environment } from './setting.ts';
import {
  type DefaultedSettings,
  type GivenSettings,
  type SettingKey,
  withDefaults,
} from './settings.ts';
import { SQLITE } from './store-kind.ts';
import { sandboxTarget } from './targets/sandbox-target.ts';

/** What a node does. */
export type Role = DefaultedSettings['role'];

/** Settings with a fixed default, and those that are derived from others. */
export interface Config extends DefaultedSettings, OperatorConfig {
  readonly publicUrl: string;
  readonly domain: string;
  readonly audience: string;
  readonly backupFolder: string | undefined;
  /** Seconds. */
  readonly backupKeep: number;
  readonly alarmsWebhook: string | undefined;
  readonly alarmsWebhookSecret: string | undefined;
  readonly alarmsMailServer: string | undefined;
  readonly alarmsMailFrom: string | undefined;
  readonly alarmsMailTo: readonly string[] | undefined;
  readonly eventsWebhook: string | undefined;
  readonly eventsWebhookSecret: string | undefined;
  readonly auditWitnessWebhook: string | undefined;
  readonly auditWitnessFile: string | undefined;
  readonly tlsCertificate: string | undefined;
  readonly tlsKey: string | undefined;
  readonly processorCertificate: string | undefined;
  readonly processorCertificateFile: string | undefined;
  readonly processorKey: string | undefined;
  readonly processorKeyFile: string | undefined;
  readonly masterKey: string | undefined;
  readonly masterKeyPrevious: readonly string[] | undefined;
  readonly masterKeyFile: string;
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
  // The public address is part of every token, so the port must be known.
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
  const { processorCertificate, processorCertificateFile: certificateFile } = given.values;
  const { processorKey, processorKeyFile: keyFile } = given.values;
  if (!(processorCertificate ?? certificateFile) !== !(processorKey ?? keyFile)) {
    problems.push(
      'processor_certificate and processor_key, or the files of them, belong together: set both, or none of them',
    );
  }
  if (given.values.sandbox && (given.values.targets ?? []).length > 0) {
    problems.push(
      'sandbox cannot be combined with targets: it invents people, and erases nothing; remove the targets, or start without sandbox',
    );
  }
  problems.push(
    ...alarmProblems(given.values),
    ...operatorProblems(given.values),
    ...backupProblems(given.values, withDefaults(given.values)),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  const config = decide(given, directory);
  return {
    config,
    sources: given.sources,
    warnings: [
      ...given.warnings,
      ...operatorWarnings(given.values),
      ...looseFiles(config, given, environment),
    ],
    file: given.file,
  };
}

/** Defaults of a sandbox: beside a store of production, and done within seconds. */
const OF_SANDBOX: GivenSettings = {
  dataDir: './sandbox',
  storeSchema: 'unwrite_sandbox',
  cancellationWindow: 5,
  retryDelay: 1,
};

function decide({ values }: GivenConfig, directory: string): Config {
  const defaulted = withDefaults(values.sandbox ? { ...OF_SANDBOX, ...values } : values);
  const dataDir = resolve(directory, defaulted.dataDir);
  const publicUrl =
    values.publicUrl ?? `${values.tlsCertificate ? 'https' : 'http'}://localhost:${defaulted.port}`;
  return {
    ...defaulted,
    dataDir,
    publicUrl,
    domain: values.domain ?? new URL(publicUrl).hostname,
    audience: values.audience ?? publicUrl,
    ...decideOperator(values, defaulted, publicUrl),
    backupFolder: values.backupFolder && resolve(directory, values.backupFolder),
    backupKeep: values.backupKeep ?? defaulted.retentionBackups,
    alarmsWebhook: values.alarmsWebhook,
    alarmsWebhookSecret: values.alarmsWebhookSecret,
    alarmsMailServer: values.alarmsMailServer,
    alarmsMailFrom: values.alarmsMailFrom,
    alarmsMailTo: values.alarmsMailTo,
    eventsWebhook: values.eventsWebhook,
    eventsWebhookSecret: values.eventsWebhookSecret,
    auditWitnessWebhook: values.auditWitnessWebhook,
    auditWitnessFile: values.auditWitnessFile && resolve(directory, values.auditWitnessFile),
    tlsCertificate: values.tlsCertificate && resolve(directory, values.tlsCertificate),
    tlsKey: values.tlsKey && resolve(directory, values.tlsKey),
    processorCertificate: values.processorCertificate,
    processorCertificateFile:
      values.processorCertificateFile && resolve(directory, values.processorCertificateFile),
    processorKey: values.processorKey,
    processorKeyFile: values.processorKeyFile && resolve(directory, values.processorKeyFile),
    masterKey: values.masterKey,
    masterKeyPrevious: values.masterKeyPrevious,
    masterKeyFile: resolve(directory, values.masterKeyFile ?? join(dataDir, 'master.key')),
    sso: values.sso ?? [],
    targets: values.sandbox ? [sandboxTarget()] : (values.targets ?? []),
  };
}
