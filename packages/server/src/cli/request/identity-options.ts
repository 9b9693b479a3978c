// --email and --customer-id. A command line is visible to others on the machine and stays in the shell's history, so
// `-` reads them from standard input instead, one per line.
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Identity } from '../../domain/request/identity.ts';
import { makeIdentities } from '../../operator/request/make-identities.ts';
import { usageFailure } from '../shared/failure.ts';

export interface IdentityOptions {
  readonly email?: string[];
  readonly customerId?: string[];
}

export function withIdentities(command: Command): Command {
  // Not `<email...>`: that would also consume a request id that comes after it.
  return command
    .option('--email <email>', 'An email address; repeatable; - reads standard input', append)
    .option(
      '--customer-id <id>',
      "The controller's customer id; repeatable; - reads standard input",
      append,
    );
}

function append(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export async function readIdentityOptions(options: IdentityOptions): Promise<Identity[]> {
  const { email = [], customerId = [] } = options;
  const fromInput = [...email, ...customerId].filter((value) => value === '-').length;
  if (fromInput > 1) {
    throw usageFailure('standard input is read once: give - to one of --email and --customer-id');
  }
  if (email.length + customerId.length === 0) {
    throw usageFailure('name the person: give --email or --customer-id');
  }
  const lines = fromInput === 0 ? [] : await readLines();
  const withLines = (value: string) => (value === '-' ? lines : [value]);
  return makeIdentities([
    ...email.flatMap(withLines).map((value) => ({ type: 'email' as const, value })),
    ...customerId
      .flatMap(withLines)
      .map((value) => ({ type: 'controller_customer_id' as const, value })),
  ]);
}

async function readLines(): Promise<string[]> {
  if (process.stdin.isTTY) process.stderr.write('One identity a line; Ctrl-D ends the input:\n');
  const lines = (await text(process.stdin)).split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0)
    throw usageFailure('standard input is empty: write one identity per line');
  return lines;
}
