// The server's own TLS, if the settings name a certificate.
import type { Server } from 'node:http';
import type { Config } from '../config/config.ts';
import { followTlsFiles, readTlsFiles, type TlsPair } from '../http/tls.ts';
import type { Log } from '../telemetry/log.ts';

export interface Tls {
  readonly pair: TlsPair;
  /** Reloads the files when they change; returns a function that stops it. */
  follow(server: Server, everyMs: number, log: Log): () => void;
}

export function openTls({ tlsCertificate, tlsKey }: Config): Tls | undefined {
  if (tlsCertificate === undefined || tlsKey === undefined) return undefined;
  const files = { certificate: tlsCertificate, key: tlsKey };
  const pair = readTlsFiles(files);
  return {
    pair,
    follow: (server, everyMs, log) =>
      followTlsFiles(server, files, pair, everyMs, {
        reloaded: (expires) => log.info({ expires }, 'the TLS certificate was replaced'),
        refused: (reason) =>
          log.error({ reason }, 'the new TLS certificate cannot be used; the old one is kept'),
      }),
  };
}
