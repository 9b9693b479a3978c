// The log: readable lines on a terminal, JSON otherwise. It never gets an identity, a token or a secret:
// callers log ids, codes and counts.
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

export type Log = Logger;

/** To standard output, unless another place is given. */
export async function createLog(level: string, out?: DestinationStream): Promise<Log> {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  if (out !== undefined) return pino(options, out);
  if (!process.stdout.isTTY) return pino(options);
  const { default: pretty } = await import('pino-pretty');
  return pino(
    options,
    pretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true }),
  );
}
