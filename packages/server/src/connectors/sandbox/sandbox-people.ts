// Whom the sandbox knows: everybody, and people with a name of their own under its domain, by what happens to them.
import type { Identity } from '../../domain/request/identity.ts';

export const SANDBOX_DOMAIN = 'sandbox.invalid';

/** What the names before the @ stand for. Words of the API's docs: a test compares them. */
export const SANDBOX_NAMES = ['held', 'slow', 'notfound', 'retained', 'failing'] as const;
export type SandboxName = (typeof SANDBOX_NAMES)[number];

const PERSON = new RegExp(`^([a-z]+)(?:\\+[^@]*)?@${RegExp.escape(SANDBOX_DOMAIN)}$`, 'i');

/** `held+anything@sandbox.invalid` is `held`, as an email or as a customer's id; undefined for everybody else. */
export function sandboxName(identities: readonly Identity[]): SandboxName | undefined {
  const words = identities.map((identity) => PERSON.exec(identity.reveal())?.[1]?.toLowerCase());
  return SANDBOX_NAMES.find((name) => words.includes(name));
}
