// Explains why a PostgreSQL store cannot be used, and what to do. It uses error codes: the server's own
// messages may quote data.
import type { Config } from '../../config/config.ts';
import { withoutPassword } from '../../config/store-kind.ts';
import { hostAndPort } from '../../domain/host-and-port.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';

const DEFAULT_PORT = 5432;
const NO_PREPARED =
  'it, or a pooler in front of it, does not support prepared statements (PgBouncer before 1.21 did not); set store_prepare (UNWRITE_STORE_PREPARE) to false';
const UNKNOWN_AUTHORITY =
  'its certificate is not signed by an authority that this machine trusts; name the certificate of the authority with sslrootcert in store';

const PROBLEMS: Readonly<Record<string, string>> = {
  '25006':
    'it is read-only, such as a standby; promote it, or give the address of the primary in store (UNWRITE_STORE)',
  '28P01': 'it refused the user or the password',
  '28000': 'it refused this user from this machine; check its pg_hba.conf',
  '3D000': 'it has no database of that name; create one with createdb',
  '42501':
    'this user may not do that; it must own the schema, or have CREATE on the database for the first start',
  '55P03':
    'a migration waited for 5 seconds for a table that another transaction holds, gave up, and changed nothing; end that transaction, or try again later',
  '57014':
    'a statement took longer than store_statement_timeout (UNWRITE_STORE_STATEMENT_TIMEOUT); raise it, or look for what keeps the database busy',
  '53300': 'it has no free connection; lower store_pool_size, or raise its max_connections',
  '26000': NO_PREPARED,
  '42P05': NO_PREPARED,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for other host names than the one in store; sslmode=verify-ca does not compare them',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};

const WANTS_TLS = ', and whether it requires TLS: set sslmode=verify-full, or require, in store';
const REFUSES_TIMEOUT =
  'a pooler in front of it refuses statement_timeout; set store_statement_timeout (UNWRITE_STORE_STATEMENT_TIMEOUT) to off, or ignore_startup_parameters = statement_timeout in PgBouncer';
const NO_TLS =
  'it does not support TLS; turn ssl on there, or set sslmode=disable if the network in between is private';

interface Failed {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly path?: unknown;
  readonly cause?: Failed;
}

export function explainPostgres(config: Config, error: unknown): string | undefined {
  const where = `the store at ${withoutPassword(config.store)} (schema ${config.storeSchema})`;
  const isAway = error instanceof StoreUnavailable;
  const failed = error as Failed;
  const { code, message, path } = (isAway ? failed.cause : undefined) ?? failed;
  const name = typeof code === 'string' ? code : '';
  const problem = problemOf(name, String(message), config);
  if (problem !== undefined) return `${where} cannot be used: ${problem}`;
  if (typeof path === 'string') return explainFile(path, name, where, config);
  if (!isAway) return undefined;
  const at = hostAndPort(config.store, DEFAULT_PORT);
  return `${where} cannot be reached at ${at}: ${name || 'no connection'}; check store (UNWRITE_STORE), and that the server runs and accepts connections from this machine`;
}

function problemOf(code: string, message: string, config: Config): string | undefined {
  if (code === '08P01' && message.includes('startup parameter')) return REFUSES_TIMEOUT;
  // The driver has no code for it.
  if (code === '' && message.includes('does not support SSL')) return NO_TLS;
  if (/^ERR_(OSSL|SSL)_/.test(code)) {
    return `TLS failed (${code}); check sslcert and sslkey in store, and the server's log`;
  }
  const known = PROBLEMS[code];
  return code === '28000' && !hasTls(config) ? `${known}${WANTS_TLS}` : known;
}

function explainFile(path: string, code: string, where: string, config: Config): string {
  const parameters = [...(URL.parse(config.store)?.searchParams ?? [])];
  const [parameter] = parameters.find(([, value]) => value === path) ?? [];
  return parameter === undefined
    ? `${path} cannot be used: ${code}; check --data-dir and its permissions`
    : `${where} cannot be used: ${path}, which is its ${parameter}, cannot be read (${code})`;
}

function hasTls({ store }: Config): boolean {
  const given = URL.parse(store)?.searchParams;
  return (given?.get('sslmode') ?? given?.get('sslrootcert') ?? 'disable') !== 'disable';
}
