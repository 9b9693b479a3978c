// PostgreSQL that lets nobody in without TLS, and its user `certified` only with a certificate.
import { appendFileSync, chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveFolder, type RunningServer } from '../servers/server-program.ts';
import { runPostgres } from './run-postgres.ts';

/** `certificates`: the folder of server.crt, server.key and of ca.crt, which signed those of clients. */
export async function runTlsPostgres(folder: string, certificates: string): Promise<RunningServer> {
  const server = await runPostgres(folder);
  await server.stop();
  const data = join(folder, 'data');
  for (const name of ['server.crt', 'server.key', 'ca.crt']) {
    copyFileSync(join(certificates, name), join(data, name));
    chmodSync(join(data, name), 0o600);
    giveFolder(join(data, name));
  }
  appendFileSync(join(data, 'postgresql.conf'), "ssl = on\nssl_ca_file = 'ca.crt'\n");
  writeFileSync(
    join(data, 'pg_hba.conf'),
    'hostssl all certified 127.0.0.1/32 cert\nhostssl all all 127.0.0.1/32 trust\n',
  );
  await server.start();
  return server;
}
