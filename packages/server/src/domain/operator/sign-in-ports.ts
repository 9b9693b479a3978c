// What the store keeps about the sign-in of operators: links, sessions, and clients for scripts. Their secrets
// are passed in clear, and kept only as keyed digests.
import type { Actor } from '../task/operator-ports.ts';
import type { OperatorRole } from './role.ts';

export interface SignInLink {
  /** Whose name the session gets. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdTime: number;
  readonly expiresTime: number;
}

export interface StoredSession {
  /** To be shown, and to end it; opens nothing. */
  readonly sessionId: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly way: 'link' | 'sso';
  /** For single sign-on: digest of the settings that granted the role. The session ends when they change. */
  readonly basis: string | null;
  /** For the list of one's sessions. */
  readonly browser: string | null;
  readonly createdTime: number;
  readonly usedTime: number;
  readonly expiresTime: number;
}

export interface NewSession extends StoredSession {
  /** What the cookie holds. */
  readonly secret: string;
}

export interface StoredOperatorClient {
  readonly clientId: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdTime: number;
  /** Null where it has no end. */
  readonly expiresTime: number | null;
  readonly revokedTime: number | null;
}

/** What became of an attempt to use a link. */
export type Redemption =
  | { readonly state: 'redeemed'; readonly session: NewSession }
  | { readonly state: 'used' | 'expired'; readonly name: string }
  | { readonly state: 'unknown' };

/** Every change is in the audit log; rows that do not authenticate are taken for absent. */
export interface OperatorStore {
  addLink(code: string, link: SignInLink, by: Actor): Promise<void>;
  /** Uses the link up and opens the session, in one transaction: of several who try, one gets it. */
  redeemLink(
    code: string,
    now: number,
    sessionFor: (link: SignInLink) => NewSession,
  ): Promise<Redemption>;
  /** `detail`: how the person signed in. */
  addSession(session: NewSession, detail: object): Promise<void>;
  session(secret: string): Promise<StoredSession | undefined>;
  /** Nothing is done to one that was ended meanwhile. */
  useSession(secret: string, session: StoredSession, now: number): Promise<void>;
  /** Newest first; of everybody where no name is given. */
  sessions(name?: string): Promise<StoredSession[]>;
  /** False where there is none. */
  endSession(sessionId: string, by: Actor): Promise<boolean>;
  addClient(token: string, client: StoredOperatorClient, by: Actor): Promise<void>;
  client(token: string): Promise<StoredOperatorClient | undefined>;
  clients(): Promise<StoredOperatorClient[]>;
  revokeClient(clientId: string, by: Actor): Promise<'revoked' | 'before' | 'unknown'>;
  recordRefusal(by: Actor, detail: object): Promise<void>;
  /** Sessions that are over, and links that ended a day ago. */
  removeExpired(now: number, idleMs: number): Promise<void>;
}
