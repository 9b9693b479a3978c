// An identity of the person. The value is in clear only here, in memory: printing, logging or serialising an
// Identity gives `[identity]`. It is passed to operators' modules, so it is immutable.
import { inspect } from 'node:util';
import type { IdentityType } from '@unwrite/protocol';

const MASK = '[identity]';

/** An id of the operator's own application. Only lookups give it: no controller can send it. */
export type InternalType = `internal.${string}`;
export type AnyType = IdentityType | InternalType;

export const isInternal = (type: string): type is InternalType => type.startsWith('internal.');

/** ASCII letters of such values are folded before they are compared. */
export const ignoresCase = (type: AnyType): boolean => type === 'email';

export class Identity {
  readonly type: AnyType;
  readonly #value: string;

  constructor(type: AnyType, value: string) {
    this.type = type;
    this.#value = value;
    Object.freeze(this);
  }

  /** The value in clear, for sealing and for targets. Never for a message. */
  reveal(): string {
    return this.#value;
  }

  /**
   * Decides whether two values mean the same person. Only ASCII letters of an email are folded, every other
   * byte counts. Never a Unicode fold: the Kelvin sign is not a k.
   */
  matchKey(): string {
    return ignoresCase(this.type) ? foldAscii(this.#value) : this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  /** @internal Not in the types of `unwrite/module`, which need none of Node's. */
  [inspect.custom](): string {
    return MASK;
  }
}

Object.freeze(Identity.prototype);

function foldAscii(text: string): string {
  // Most rows have nothing to fold, and looking is cheaper than replacing.
  if (!/[A-Z]/.test(text)) return text;
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
