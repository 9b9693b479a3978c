// --email and --customer-id. A command line is visible to others on the machine and stays in the shell's history, so
// `-` reads them from standard input instead, one per line.
import { text } from 'node:stream/consumers';
import { IDENTITY_TYPES, type IdentityType } from '@unwrite/protocol';
import type { Command } from 'commander';
import type { Identity } from '../../domain/request/identity.ts';
import { makeIdentities } from '../../operator/request/make-identities.ts';
import { usageFailure } from '../shared/failure.ts';

/** The option of each type of identity; `member` is what commander makes of its name. */
const OPTIONS = {
  email: { member: 'email', name: '--email', value: '<email>', help: 'An email address' },
  controller_customer_id: {
    member: 'customerId',
    name: '--customer-id',
    value: '<id>',
    help: "The controller's customer id",
  },
} as const satisfies Readonly<Record<IdentityType, object>>;
const NAMES = IDENTITY_TYPES.map((type) => OPTIONS[type].name);

export type IdentityOptions = {
  readonly [Type in IdentityType as (typeof OPTIONS)[Type]['member']]?: string[];
};

export function withIdentities(command: Command): Command {
  for (const type of IDENTITY_TYPES) {
    const { name, value, help } = OPTIONS[type];
    // Not `<email...>`: that would also consume a request id that comes after it.
    command.option(`${name} ${value}`, `${help}; repeatable; - reads standard input`, append);
  }
  return command;
}

function append(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function namesPerson(options: IdentityOptions): boolean {
  return IDENTITY_TYPES.some((type) => options[OPTIONS[type].member] !== undefined);
}

export async function readIdentityOptions(options: IdentityOptions): Promise<Identity[]> {
  const given = IDENTITY_TYPES.flatMap((type) =>
    (options[OPTIONS[type].member] ?? []).map((value) => ({ type, value })),
  );
  const fromInput = given.filter(({ value }) => value === '-').length;
  if (fromInput > 1) {
    throw usageFailure(`standard input is read once: give - to one of ${NAMES.join(' and ')}`);
  }
  if (given.length === 0) throw usageFailure(`name the person: give ${NAMES.join(' or ')}`);
  const lines = fromInput === 0 ? [] : await readLines();
  return makeIdentities(
    given.flatMap(({ type, value }) =>
      (value === '-' ? lines : [value]).map((one) => ({ type, value: one })),
    ),
  );
}

async function readLines(): Promise<string[]> {
  if (process.stdin.isTTY) process.stderr.write('One identity a line; Ctrl-D ends the input:\n');
  const lines = (await text(process.stdin)).split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0)
    throw usageFailure('standard input is empty: write one identity per line');
  return lines;
}
