// Every setting there is. Help, `config show`, the checks at start and the editors' schema all come
// from this list.

import { MAX_RETRY_DELAY_MS } from '../domain/task/backoff.ts';
import { HOUR_MS } from '../domain/time-units.ts';
import { ALARM_SETTINGS } from './alarm-settings.ts';
import { BACKUP_SETTINGS } from './backup-settings.ts';
import { CERTIFICATE_SETTINGS } from './certificate-settings.ts';
import { KEY_SETTINGS, MASTER_KEY_SETTINGS } from './key-settings.ts';
import { duration, flag, oneOf, origin, orOff, text, wholeNumber } from './kinds.ts';
import { LIMIT_SETTINGS } from './limit-settings.ts';
import { OPERATOR_SETTINGS } from './operator-settings.ts';
import { fileSetting, type Setting, setting } from './setting.ts';
import { trustProxy } from './special-kinds.ts';
import { sso } from './sso-kind.ts';
import { store } from './store-kind.ts';
import { targets } from './targets/targets-kind.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The queue's schema is named after it, and may have at most 50 characters. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,43}$/;
const HOST_NAME = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$/;

export const SETTINGS = {
  host: setting('host', text(), 'Address to listen on', '127.0.0.1', { environment: 'HOST' }),
  port: setting('port', wholeNumber(0, 65_535), 'Port to listen on; 0 takes a free one', '8080', {
    environment: 'PORT',
  }),
  dataDir: setting(
    'data_dir',
    text(),
    'Folder of the store and, by default, the master key',
    './data',
  ),
  store: setting(
    'store',
    store,
    'Where requests are kept: sqlite (a file in the data folder), or postgres://…',
    'sqlite',
    { secret: true },
  ),
  storeSchema: setting(
    'store_schema',
    text(SCHEMA_NAME, 'a lower-case name of at most 44 letters, digits and underscores'),
    'On PostgreSQL: schema of the tables; the queue uses another one, with _queue at its end',
    'unwrite',
  ),
  storePoolSize: setting(
    'store_pool_size',
    wholeNumber(2, 1000),
    'On PostgreSQL: maximum connections of this process',
    '10',
  ),
  storeStatementTimeout: setting(
    'store_statement_timeout',
    orOff(duration('1s', '1h')),
    'On PostgreSQL: timeout of a statement, or off (behind PgBouncer)',
    '30s',
  ),
  storePrepare: setting(
    'store_prepare',
    flag,
    'On PostgreSQL: use prepared statements; false for poolers that do not support them',
    'true',
  ),
  role: setting(
    'role',
    oneOf('all', 'api', 'worker'),
    'What this node does; with SQLite only all',
    'all',
  ),
  concurrency: setting(
    'concurrency',
    wholeNumber(1, 64),
    'On PostgreSQL: targets that this node works on at once',
    '4',
  ),
  publicUrl: setting(
    'public_url',
    origin,
    'Address at which controllers reach this service',
    'http://localhost:PORT',
  ),
  domain: setting(
    'domain',
    text(HOST_NAME, 'a host name'),
    'Processor domain in X-OpenDSR-Processor-Domain',
    'host name of public_url',
  ),
  audience: setting('audience', text(), 'Audience that tokens are issued for', 'public_url'),
  tokenLifetime: setting(
    'token_lifetime',
    duration('60s', '24h'),
    'Lifetime of access tokens',
    '1h',
  ),
  ...KEY_SETTINGS,
  cancellationWindow: setting(
    'cancellation_window',
    duration('0s', '29d'),
    'How long a request stays pending and can be cancelled',
    '24h',
  ),
  retryDelay: setting(
    'retry_delay',
    duration('1s', '1h'),
    `First delay before a failed task is tried again; doubles up to ${MAX_RETRY_DELAY_MS / HOUR_MS} hours`,
    '30s',
  ),
  retentionIdentities: setting(
    'retention.identities',
    duration('0s', '3650d'),
    'How long identities stay sealed after a request is completed, for erasing again',
    '35d',
  ),
  retentionRecords: setting(
    'retention.records',
    duration('1d', '36500d'),
    'How long final requests, evidence, receipts and audit rows are kept',
    '730d',
  ),
  retentionBackups: setting(
    'retention.backups',
    duration('0s', '3650d'),
    'How long backups of the store are kept; a retired master key is kept as long',
    '35d',
  ),
  ...BACKUP_SETTINGS,
  maxStartsPerDay: setting(
    'max_starts_per_day',
    orOff(wholeNumber(1, 1_000_000_000)),
    'Daily limit on starts: maximum requests of a controller that start on one day (UTC), or off; the rest wait',
    '10000',
  ),
  notFoundAlarm: setting(
    'not_found_alarm',
    orOff(wholeNumber(1, 100)),
    "Alarm when more than this percentage of a day's completed requests was found at no target, or off",
    '20',
  ),
  ...ALARM_SETTINGS,
  auditWitnessFile: setting(
    'audit.witness_file',
    text(),
    'File that every new head of the audit log is appended to',
    'none',
  ),
  managementHost: setting(
    'management_host',
    text(),
    'Address to listen on for metrics and health',
    '127.0.0.1',
  ),
  managementPort: setting(
    'management_port',
    orOff(wholeNumber(1, 65_535)),
    'Port for metrics and health, or off',
    'off',
  ),
  ...OPERATOR_SETTINGS,
  ...CERTIFICATE_SETTINGS,
  ...LIMIT_SETTINGS,
  ...MASTER_KEY_SETTINGS,
  logLevel: setting(
    'log_level',
    oneOf(...LOG_LEVELS),
    'Minimum log level; debug logs every request',
    'info',
  ),
  trustProxy: setting(
    'trust_proxy',
    trustProxy,
    'Proxies whose X-Forwarded-For is trusted: off, their number, or their addresses',
    'off',
  ),
  drainDelay: setting(
    'drain_delay',
    duration('0s', '5m'),
    'After SIGTERM: how long to keep serving while reporting not ready',
    '1s',
  ),
  demo: setting(
    'demo',
    flag,
    'Create a demo controller when the store is empty, and print its credentials',
    'false',
  ),
  sandbox: setting(
    'sandbox',
    flag,
    'Serve a place to try, with a store of its own: people are invented, and nothing is erased (see docs/sandbox.md)',
    'false',
  ),
  sso: setting(
    'sso',
    sso,
    'Issuers of admin user tokens (in the file: see docs/single-sign-on.md)',
    'none',
  ),
  targets: fileSetting(
    'targets',
    targets,
    'Systems to erase from (in the file: see docs/targets.md)',
    'none: every request waits for a person',
  ),
} as const;

export type SettingKey = keyof typeof SETTINGS;

type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** Values as given; undefined if not given. */
export type GivenSettings = { [K in SettingKey]?: ValueOf<(typeof SETTINGS)[K]> };

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

/** Settings whose default depends on others, or that have none: `config.ts` decides about them. */
const DERIVED_KEYS = [
  'publicUrl',
  'domain',
  'audience',
  'operatorUrl',
  'operatorSsoIssuer',
  'operatorSsoClientId',
  'operatorSsoClientSecret',
  'operatorSsoRoles',
  'backupFolder',
  'backupKeep',
  'alarmsWebhook',
  'alarmsWebhookSecret',
  'alarmsMailServer',
  'alarmsMailFrom',
  'alarmsMailTo',
  'eventsWebhook',
  'eventsWebhookSecret',
  'auditWitnessWebhook',
  'auditWitnessFile',
  'masterKey',
  'masterKeyPrevious',
  'masterKeyFile',
  'tlsCertificate',
  'tlsKey',
  'processorCertificate',
  'processorCertificateFile',
  'processorKey',
  'processorKeyFile',
  'sso',
  'targets',
] as const satisfies readonly SettingKey[];

type DefaultedKey = Exclude<SettingKey, (typeof DERIVED_KEYS)[number]>;

/** Durations are in seconds, sizes in bytes; null means off. */
export type DefaultedSettings = {
  readonly [K in DefaultedKey]: ValueOf<(typeof SETTINGS)[K]>;
};

/** Defaults are parsed from the text that help and docs show, so each is written once. */
export function withDefaults(values: GivenSettings): DefaultedSettings {
  const keys = SETTING_KEYS.filter((key) => !DERIVED_KEYS.some((derived) => derived === key));
  return Object.fromEntries(
    keys.map((key) => [key, values[key] === undefined ? defaultOf(key) : values[key]]),
  ) as never;
}

function defaultOf(key: SettingKey): unknown {
  const { kind, defaultText }: Setting<unknown> = SETTINGS[key];
  return kind.read(defaultText, NOTHING_AROUND);
}

const NOTHING_AROUND = { environment: {}, directory: '.' };
