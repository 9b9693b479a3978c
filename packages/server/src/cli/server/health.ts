// For the health check of a container: an image without a shell has no other program that could ask.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { CommandFailure } from '../shared/failure.ts';
import { settingsOf, withSettings } from '../shared/options.ts';
import { printLines } from '../shared/output.ts';

const ANSWER_MS = 4000;
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function addHealthCommand(program: Command): void {
  const health = program
    .command('health')
    .description('Ask the server with these settings whether it is ready; exit code 1 if not');
  withSettings(health, ['host', 'port', 'tlsCertificate']).action(async () => {
    const reasons = await askReasons(settingsOf(health).config);
    if (reasons.length > 0) throw new CommandFailure(`not ready: ${reasons.join('; ')}`);
    printLines('ready');
  });
}

/** Why the server is not ready; empty if it is. */
async function askReasons({ host, port, tlsCertificate }: Config): Promise<readonly string[]> {
  const isTls = tlsCertificate !== undefined;
  const options = { host: LOOPBACK[host] ?? host, port, path: '/health/ready', timeout: ANSWER_MS };
  // Nothing secret is sent, and the certificate is one for the name that others use.
  const request = isTls
    ? requestHttps({ ...options, rejectUnauthorized: false })
    : requestHttp(options);
  const answered = new Promise<readonly string[]>((resolve, reject) => {
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.on('response', (response) => {
      if (response.statusCode === 200) resolve([]);
      else json(response).then((body) => resolve(reasonsIn(body)), reject);
    });
  });
  request.end();
  try {
    return await answered;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      `no server answers at ${options.host}:${port} (${code ?? message}); is it running, with these settings?`,
    );
  } finally {
    request.destroy();
  }
}

function reasonsIn(body: unknown): readonly string[] {
  const { reasons } = Object(body) as { reasons?: unknown };
  const texts = Array.isArray(reasons) ? reasons.filter((it) => typeof it === 'string') : [];
  return texts.length > 0 ? texts : ['the server does not say why'];
}
