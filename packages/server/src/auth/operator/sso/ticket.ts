// The state of a sign-on until the browser returns from the provider, sealed in a cookie of that browser: no
// other browser can finish the sign-on, and any node can.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Clock } from '../../../domain/clock.ts';

const LIFETIME_MS = 600_000;
const [IV_BYTES, TAG_BYTES] = [12, 16];
const CIPHER = 'aes-256-gcm';

export interface Ticket {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

export interface TicketSealer {
  seal(ticket: Ticket): string;
  /** Undefined if it is not ours, or too old. */
  open(sealed: string): Ticket | undefined;
}

const SEPARATOR = '.';
/** All tabs share one cookie. It is sent with every call, and a proxy may accept only 8 KiB of headers. */
const MAX_TICKETS = 5;
const MAX_LENGTH = 2048;

/** Each tab that signs on has its own ticket. The newest is first; the oldest are dropped. */
export function addTicket(tickets: string | undefined, ticket: string): string {
  const all = [ticket, ...(tickets?.split(SEPARATOR) ?? [])].slice(0, MAX_TICKETS);
  while (all.length > 1 && all.join(SEPARATOR).length > MAX_LENGTH) all.pop();
  return all.join(SEPARATOR);
}

/**
 * The ticket with this state, and those of other tabs. If no ticket has the state, someone may be attacking: returns
 * the newest, so that the comparison with the issuer's answer fails, and drops all others.
 */
export function takeTicket(
  sealer: Pick<TicketSealer, 'open'>,
  tickets: string | undefined,
  state: string | null,
): { readonly ticket: Ticket | undefined; readonly rest: string | undefined } {
  const sealed = tickets?.split(SEPARATOR).slice(0, MAX_TICKETS) ?? [];
  const opened = sealed.map((it) => sealer.open(it));
  const at = opened.findIndex((it) => it?.state === state);
  if (at < 0) return { ticket: opened.find((it) => it !== undefined), rest: undefined };
  const rest = sealed.toSpliced(at, 1).join(SEPARATOR);
  return { ticket: opened[at], rest: rest === '' ? undefined : rest };
}

export function createTicketSealer(key: Uint8Array, clock: Clock): TicketSealer {
  return {
    seal(ticket) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const text = JSON.stringify({ ...ticket, expires: clock() + LIFETIME_MS });
      const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(sealed).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = Buffer.concat([
          decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]).toString();
        const { expires, ...ticket } = JSON.parse(text) as Ticket & { expires: number };
        return clock() < expires ? ticket : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
