// Sign-in by one-time links, and the creation of sessions for all ways of signing in.
import type { Clock } from '../../domain/clock.ts';
import type { OperatorRole } from '../../domain/operator/role.ts';
import type { NewSession, OperatorStore } from '../../domain/operator/sign-in-ports.ts';
import { asTyped } from '../../domain/own-command.ts';
import { makeLinkCode, makeSessionId, makeSessionSecret, SECRET_FORM } from './secrets.ts';

const LINK_LIFETIME_MS = 600_000;

/** Why a link does not work, and what to do. */
export class LinkRefused extends Error {
  override readonly name = 'LinkRefused';
}

const NEW_LINK = asTyped('make a new one on the machine of the server: unwrite console link');

const REFUSALS = {
  unknown: `This sign-in link is not known here; ${NEW_LINK}`,
  used: `This sign-in link has been used already; ${NEW_LINK}`,
  expired: `This sign-in link has expired: it is valid for ten minutes; ${NEW_LINK}`,
} as const;

export interface Person {
  readonly name: string;
  readonly role: OperatorRole;
}

export interface SingleSignOn extends Person {
  readonly basis: string;
  readonly issuer: string;
  readonly subject: string;
}

export interface SignIn {
  makeLink(person: Person, actor: string): Promise<{ code: string; expires: number }>;
  /** Rejects with LinkRefused. */
  redeem(code: string, browser: string | null): Promise<NewSession>;
  signedOn(person: SingleSignOn, browser: string | null): Promise<NewSession>;
  /** `name`: the person's, if it is known. */
  refused(name: string | null, detail: object): Promise<void>;
}

export interface SignInOptions {
  readonly store: OperatorStore;
  readonly clock: Clock;
  readonly lifetimeMs: number;
}

export function createSignIn({ store, clock, lifetimeMs }: SignInOptions): SignIn {
  function newSession(
    { name, role }: Person,
    how: Pick<NewSession, 'way' | 'basis' | 'browser'>,
  ): NewSession {
    const now = clock();
    return {
      secret: makeSessionSecret(),
      sessionId: makeSessionId(),
      name,
      role,
      ...how,
      createdTime: now,
      usedTime: now,
      expiresTime: now + lifetimeMs,
    };
  }

  const refused: SignIn['refused'] = (name, detail) => {
    const actor = name === null ? 'system' : `operator:${name}`;
    return store.recordRefusal({ actor, now: clock() }, detail);
  };

  return {
    refused,
    async makeLink(person, actor) {
      const now = clock();
      const code = makeLinkCode();
      const expires = now + LINK_LIFETIME_MS;
      const link = { ...person, createdTime: now, expiresTime: expires };
      await store.addLink(code, link, { actor, now });
      return { code, expires };
    },
    async redeem(code, browser) {
      const outcome = SECRET_FORM.test(code)
        ? await store.redeemLink(code, clock(), (link) =>
            newSession(link, { way: 'link', basis: null, browser }),
          )
        : ({ state: 'unknown' } as const);
      if (outcome.state === 'redeemed') return outcome.session;
      const name = outcome.state === 'unknown' ? null : outcome.name;
      await refused(name, { way: 'link', reason: outcome.state });
      throw new LinkRefused(REFUSALS[outcome.state]);
    },
    async signedOn({ basis, issuer, subject, ...person }, browser) {
      const session = newSession(person, { way: 'sso', basis, browser });
      await store.addSession(session, { issuer, subject });
      return session;
    },
  };
}
