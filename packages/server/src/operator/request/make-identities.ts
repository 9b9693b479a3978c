// Checks identities that a person has typed. Errors do not repeat the value.
import {
  type IdentityType,
  isIdentityValue,
  MAX_IDENTITIES,
  MAX_IDENTITY_LENGTH,
} from '@unwrite/protocol';
import { Identity } from '../../domain/request/identity.ts';
import { InvalidInput } from '../failures.ts';

export interface GivenIdentity {
  readonly type: IdentityType;
  readonly value: string;
}

/** Equal identities count once. */
export function makeIdentities(given: readonly GivenIdentity[]): Identity[] {
  if (given.length === 0) throw new InvalidInput('identities', 'must name the person');
  if (given.length > MAX_IDENTITIES) {
    throw new InvalidInput('identities', `must be at most ${MAX_IDENTITIES} at a time`);
  }
  const made = given.map(({ type, value }) => makeIdentity(type, value));
  return [...new Map(made.map((it) => [`${it.type} ${it.matchKey()}`, it])).values()];
}

function makeIdentity(type: IdentityType, value: string): Identity {
  const length = [...value].length;
  if (length > 0 && length <= MAX_IDENTITY_LENGTH && isIdentityValue(value)) {
    return new Identity(type, value);
  }
  throw new InvalidInput(
    type,
    `must have 1 to ${MAX_IDENTITY_LENGTH} characters, no white space at either end and no control characters`,
  );
}
