// What a failed statement means for the caller. The server's own messages may quote data: they stay in
// the error's cause.
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';

/** Connection failures, lack of resources, intervention by the server's operator, disk errors. */
const UNAVAILABLE_CLASSES = ['08', '53', '57', '58'];
/** The server is read-only: it is, was or is becoming a standby. */
const READ_ONLY = '25006';
const TOO_MANY_CONNECTIONS = '53300';

export function failureOf(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  const { code } = error as { code?: unknown };
  // Without a code from the server, the connection failed or the pool is exhausted.
  const isServers = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
  if (isServers && code !== READ_ONLY && !UNAVAILABLE_CLASSES.includes(code.slice(0, 2))) {
    return error;
  }
  if (!isServers && !isOfTheWay(error)) return error;
  return new StoreUnavailable(`${problemOf(error)} (${nameOf(error)})`, { cause: error });
}

function problemOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === READ_ONLY) return 'the store is read-only';
  if (code === TOO_MANY_CONNECTIONS) return 'the store accepts no more connections';
  if (writeRefusalOf(error) !== undefined) return 'the store could not be written';
  return 'the store could not be reached';
}

/**
 * The error code of a write that the server refused for lack of space. Whether it is read-only is checked by `ping`.
 */
export function writeRefusalOf(error: unknown): string | undefined {
  const { code } = (error instanceof StoreUnavailable ? error.cause : error) as { code?: unknown };
  return typeof code === 'string' && /^5[38]...$/.test(code) && code !== TOO_MANY_CONNECTIONS
    ? code
    : undefined;
}

/** A code for logs, never a message. */
export function nameOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'unknown';
}

/** Node's codes for a certificate that it rejects: it may expire while a node runs. */
const CERTIFICATE = /CERT|ISSUER|_SIGNATURE$|_CRL|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$/;

function isOfTheWay(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') {
    return /^E[A-Z_]+$|^ERR_(TLS|SSL)_/.test(code) || CERTIFICATE.test(code);
  }
  return typeof message === 'string' && /connect|terminat|timeout|Client|pool/i.test(message);
}
