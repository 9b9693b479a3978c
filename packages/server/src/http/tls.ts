// Our own TLS: certificate and key from files, read again when they change, without a restart.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { TlsProblem } from './tls-problem.ts';

export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface TlsPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export function readTlsFiles({ certificate, key }: TlsFiles): TlsPair {
  const pair = { cert: readOrExplain(certificate), key: readOrExplain(key) };
  try {
    const fits = new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key));
    if (fits) createSecureContext(pair);
    else
      throw new TlsProblem(`tls.key (${key}) is not the key of tls.certificate (${certificate})`);
  } catch (error) {
    if (error instanceof TlsProblem) throw error;
    throw new TlsProblem(
      `tls.certificate (${certificate}) and tls.key (${key}) must be a certificate with its chain and its key without a passphrase, in PEM`,
    );
  }
  return pair;
}

function readOrExplain(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TlsProblem(`${path} cannot be read (${code}); check tls.certificate and tls.key`);
  }
}

/** Clients refuse a certificate outside its validity: the one in use stays, if it is still valid. */
function refuseInvalid(pair: TlsPair, used: TlsPair, path: string): void {
  if (isValidNow(pair) || !isValidNow(used)) return;
  const { validFrom, validTo } = new X509Certificate(pair.cert);
  throw new TlsProblem(`tls.certificate (${path}) is valid from ${validFrom} to ${validTo} only`);
}

function isValidNow({ cert }: TlsPair): boolean {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  const now = Date.now();
  return validFromDate.getTime() <= now && now <= validToDate.getTime();
}

export interface TlsEvents {
  reloaded(expires: string): void;
  refused(reason: string): void;
}

/** Checks the files periodically; unusable ones are ignored. Returns a function that stops it. */
export function followTlsFiles(
  server: Server,
  files: TlsFiles,
  first: TlsPair,
  everyMs: number,
  events: TlsEvents,
): () => void {
  let used = first;
  let complained = '';

  function look(): void {
    try {
      const pair = readTlsFiles(files);
      const isUsed = pair.cert.equals(used.cert) && pair.key.equals(used.key);
      if (!isUsed) refuseInvalid(pair, used, files.certificate);
      complained = '';
      if (isUsed) return;
      (server as TlsServer).setSecureContext(pair);
      used = pair;
      events.reloaded(new X509Certificate(pair.cert).validTo);
    } catch (error) {
      const { message } = error as Error;
      // Two files cannot be replaced at the same moment: only a problem that persists is logged, once.
      if (complained === '') complained = 'seen';
      else if (complained !== message) {
        complained = message;
        events.refused(message);
      }
    }
  }

  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}
