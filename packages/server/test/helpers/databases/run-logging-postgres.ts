// PostgreSQL that writes down every statement with its values, also of those that fail.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepOutput, type RunningServer } from '../servers/server-program.ts';
import { runPostgres } from './run-postgres.ts';

const SETTINGS = `
log_statement = all
log_min_duration_statement = 0
log_error_verbosity = verbose
log_parameter_max_length = -1
log_parameter_max_length_on_error = -1
`;

/** `file`: where its log goes. */
export async function runLoggingPostgres(folder: string, file: string): Promise<RunningServer> {
  const server = await runPostgres(folder);
  await server.stop();
  appendFileSync(join(folder, 'data', 'postgresql.conf'), SETTINGS);
  keepOutput(file);
  await server.start();
  return server;
}
