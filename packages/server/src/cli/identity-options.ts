// --email and --customer-id. A command line is visible to others on the machine and stays in the
// shell's history, so `-` reads them from standard input instead, one a line.
import { text } from 'node:stream/consumers';
import { type IdentityType, isIdentityValue, MAX_IDENTITY_LENGTH } from '@unwrite/protocol';
import type { Command } from 'commander';
import { Identity } from '../domain/identity.ts';
import { CommandFailure, EXIT_USAGE } from './failure.ts';

export interface IdentityOptions {
  readonly email?: string[];
  readonly customerId?: string[];
}

export function withIdentities(command: Command): Command {
  return command
    .option('--email <email...>', 'An email address; - reads them from standard input')
    .option('--customer-id <id...>', "The controller's id of the customer; - as above");
}

export async function readIdentityOptions(options: IdentityOptions): Promise<Identity[]> {
  const emails = await readValues(options.email ?? []);
  const ids = await readValues(options.customerId ?? []);
  const identities = [
    ...emails.map((value) => make('email', value)),
    ...ids.map((value) => make('controller_customer_id', value)),
  ];
  if (identities.length === 0) {
    throw new CommandFailure('say who is meant: --email or --customer-id', EXIT_USAGE);
  }
  return identities;
}

async function readValues(values: readonly string[]): Promise<string[]> {
  if (!values.includes('-')) return [...values];
  const lines = (await text(process.stdin)).split(/\r?\n/).filter((line) => line !== '');
  return values.flatMap((value) => (value === '-' ? lines : [value]));
}

function make(type: IdentityType, value: string): Identity {
  const length = [...value].length;
  if (length === 0 || length > MAX_IDENTITY_LENGTH || !isIdentityValue(value)) {
    throw new CommandFailure(
      `the ${type} must have 1 to ${MAX_IDENTITY_LENGTH} characters, no white space at either end and no control characters`,
      EXIT_USAGE,
    );
  }
  return new Identity(type, value);
}
