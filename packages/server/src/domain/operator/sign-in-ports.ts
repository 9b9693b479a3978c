// What the store keeps about the sign-in of operators: links, sessions, and clients for scripts. Their secrets
// are passed in clear, and kept only as keyed digests.
import type { Actor } from '../task/operator-ports.ts';
import type { OperatorRole } from './role.ts';

export interface SignInLink {
  /** Name of the operator whom the link signs in. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdTime: number;
  readonly expiresTime: number;
}

export interface StoredSession {
  /** Names the session in lists and when it is ended; cannot be used to sign in. */
  readonly sessionId: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly way: 'link' | 'sso';
  /** For single sign-on: digest of the settings that granted the role. The session ends when they change. */
  readonly basis: string | null;
  /** Shown in the operator's list of sessions. */
  readonly browser: string | null;
  readonly createdTime: number;
  readonly usedTime: number;
  readonly expiresTime: number;
}

export interface NewSession extends StoredSession {
  /** Value of the cookie. */
  readonly secret: string;
}

export interface StoredOperatorClient {
  readonly clientId: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdTime: number;
  /** Null if it does not expire. */
  readonly expiresTime: number | null;
  readonly revokedTime: number | null;
}

/** Result of an attempt to use a link. */
export type Redemption =
  | { readonly state: 'redeemed'; readonly session: NewSession }
  | { readonly state: 'used' | 'expired'; readonly name: string }
  | { readonly state: 'unknown' };

/** Every change is written to the audit log. Rows without a valid MAC are treated as absent. */
export interface OperatorStore {
  addLink(code: string, link: SignInLink, by: Actor): Promise<void>;
  /** Uses the link up and opens the session in one transaction: a link works once. */
  redeemLink(
    code: string,
    now: number,
    sessionFor: (link: SignInLink) => NewSession,
  ): Promise<Redemption>;
  /** `detail`: how the person signed in. */
  addSession(session: NewSession, detail: object): Promise<void>;
  session(secret: string): Promise<StoredSession | undefined>;
  /** Does nothing if the session was ended meanwhile. */
  useSession(secret: string, session: StoredSession, now: number): Promise<void>;
  /** Newest first; without a name, the sessions of all operators. */
  sessions(name?: string): Promise<StoredSession[]>;
  /** False if there is no such session. */
  endSession(sessionId: string, by: Actor): Promise<boolean>;
  addClient(token: string, client: StoredOperatorClient, by: Actor): Promise<void>;
  client(token: string): Promise<StoredOperatorClient | undefined>;
  clients(): Promise<StoredOperatorClient[]>;
  revokeClient(clientId: string, by: Actor): Promise<'revoked' | 'before' | 'unknown'>;
  recordRefusal(by: Actor, detail: object): Promise<void>;
  /** Removes sessions that are over, and links that expired a day ago. */
  removeExpired(now: number, idleMs: number): Promise<void>;
}
