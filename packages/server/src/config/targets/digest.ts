// A short digest of what a target does. It changes when something else would be erased, and is part of
// evidence, so nothing secret may go in: not even hashed, since short secrets can be guessed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type {
  OpendsrTargetConfig,
  RestTargetConfig,
  SqlTargetConfig,
  TargetConfig,
} from '../../domain/target/target.ts';
import type { Undigested } from './common-fields.ts';
import { isFile } from './sql/databases.ts';

/** The query parameters of a database address that decide which data is meant. */
const DECIDING = ['host', 'port', 'dbname', 'database', 'schema', 'options', 'socketPath'];

export function digestOf(target: Undigested<TargetConfig>): string {
  const { connector, mode, controllers, maxRowsPerSubject, whenUnmatched } = target;
  const common = { connector, mode, controllers, maxRowsPerSubject, whenUnmatched };
  return shortDigest({ ...common, ...ownPart(target) });
}

/**
 * Digest of the target's place, and of tables, keys, match and via: everything that decides which rows an intent
 * has. It has two parts, because rows can still be looked up if only the place is the same.
 */
export function planDigestOf(target: Undigested<TargetConfig>): string {
  const place = { connector: target.connector, ...placeOf(target) };
  const { accept: _, resolve: __, ...plan } = ownPart(target);
  return `${shortDigest(place)}-${shortDigest({ ...plan, ...accountOf(target) })}`;
}

/**
 * On PostgreSQL the account may decide in which schema a name is found. An intent of hand-written statements does not
 * record where that was, as one of `tables` does.
 */
function accountOf(target: Undigested<TargetConfig>): Record<string, unknown> {
  if (target.connector !== 'postgres' || target.work.kind !== 'statements') return {};
  const { username, searchParams } = new URL(target.address);
  return { account: searchParams.get('user') ?? username };
}

function placeOf(target: Undigested<TargetConfig>): Record<string, unknown> {
  switch (target.connector) {
    case 'http':
    case 's3':
      return { url: httpAddress(target.url) };
    case 'opendsr':
      return { url: httpAddress(target.url), account: accountAt(target) };
    case 'manual':
    case 'sandbox':
      return {};
    case 'rest':
      return { origin: target.recipe.origin, settings: target.settings, keys: keysOf(target) };
    case 'module':
      return { file: target.file };
    default:
      return { address: databaseAddress(target) };
  }
}

/** Known keys are used with another recipe too, unless they mean something else there. */
function keysOf({ recipe }: Undigested<RestTargetConfig>): Record<string, unknown> {
  return Object.fromEntries(
    recipe.objects.map(({ name, finds }) => [
      name,
      finds.slice(0, 1).map(({ within, list }) => [within?.key, list.key].map(pairsOf)),
    ]),
  );
}

const pairsOf = (key: Readonly<Record<string, string>> = {}) => Object.entries(key);

function shortDigest(parts: Record<string, unknown>): string {
  return sha256(JSON.stringify(parts, sortKeys)).slice(0, 32);
}

function ownPart(target: Undigested<TargetConfig>): Record<string, unknown> {
  switch (target.connector) {
    case 'http':
      return { url: httpAddress(target.url), verify: target.verify };
    case 'opendsr': {
      const { requestsPath, identities, isShared, signed } = target;
      const account = accountAt(target);
      return {
        url: httpAddress(target.url),
        requestsPath,
        account,
        identities,
        isShared,
        domain: signed?.domain,
      };
    }
    case 's3': {
      const { url, objects, hasVersions, isShared } = target;
      return { url: httpAddress(url), objects, hasVersions, isShared };
    }
    case 'rest': {
      const { recipe, settings, isShared } = target;
      return { recipe: recipe.digest, settings, isShared };
    }
    case 'sandbox':
      return {};
    case 'manual':
      return { instructions: target.instructions };
    case 'module':
      return {
        file: target.file,
        content: sha256(readFileSync(target.file)),
        options: Object.keys(target.options).sort(),
      };
    default: {
      const { tenancy, work, resolve, accept } = target;
      return { address: databaseAddress(target), tenancy, work, resolve, accept };
    }
  }
}

function databaseAddress({ connector, address }: Undigested<SqlTargetConfig>): unknown {
  if (isFile(connector)) return address;
  const { host, pathname, searchParams } = new URL(address);
  const deciding = DECIDING.map((name) => searchParams.getAll(name));
  return { host, pathname, deciding };
}

/** Under another account, the other processor knows none of the requests. */
function accountAt({ auth }: Undigested<OpendsrTargetConfig>): string {
  if (auth.kind === 'oauth') return auth.clientId;
  return auth.kind === 'basic' ? auth.username : '';
}

function httpAddress(address: string): unknown {
  const { origin, pathname, searchParams } = new URL(address);
  return { origin, pathname, parameters: [...searchParams.keys()].sort() };
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
