// What every store must do for signing in operators. It passes when describeOperators does.
import { describe, expect, it } from 'vitest';
import { createOperatorAuthentication } from '../../src/auth/operator/authenticate.ts';
import { createOperatorClients } from '../../src/auth/operator/operator-clients.ts';
import { createSignIn, LinkRefused } from '../../src/auth/operator/sign-in.ts';
import type { SessionLimits } from '../../src/domain/operator/in-force.ts';
import type { OperatorStore } from '../../src/domain/operator/sign-in-ports.ts';
import { DAY, MINUTE, NOON, type OpenRecords } from './records/under-test.ts';
import { useRecords } from './records/use-records.ts';

const HOUR = 60 * MINUTE;
const OLGA = { name: 'olga', role: 'operator' } as const;
const SIGNED_ON = { ...OLGA, basis: 'b1', issuer: 'https://login.example', subject: 's1' };

export function describeOperators(name: string, openRecords: OpenRecords): void {
  describe(`signing in on ${name}`, () => {
    const use = useRecords(openRecords);

    function at(store: OperatorStore, changed: Partial<SessionLimits> = {}) {
      const time = { now: NOON };
      const clock = () => time.now;
      const limits = {
        idleMs: 30 * MINUTE,
        lifetimeMs: 2 * HOUR,
        basis: 'b1',
        links: true,
        ...changed,
      };
      return {
        time,
        signIn: createSignIn({ store, clock, lifetimeMs: 2 * HOUR }),
        authentication: createOperatorAuthentication({ store, clock, limits }),
        clients: createOperatorClients(store, clock),
      };
    }

    it('a session ends on all nodes after the idle time', async () => {
      const { time, signIn, authentication } = at(use().node.operators);
      const there = at(use().other.operators);
      const { secret } = await signIn.signedOn(SIGNED_ON, null);
      for (let used = 0; used < 3; used++) {
        time.now += 29 * MINUTE;
        expect(await authentication.session(secret, true)).toMatchObject({
          operator: { name: 'olga', role: 'operator', by: 'session' },
          idleExpires: Math.min(time.now + 30 * MINUTE, NOON + 2 * HOUR),
        });
      }
      there.time.now = time.now + 29 * MINUTE;
      expect(await there.authentication.session(secret, false)).toBeDefined();
      there.time.now += MINUTE;
      expect(await there.authentication.session(secret, true)).toBeUndefined();
    });

    it('polling by a page does not keep an idle session alive', async () => {
      const { time, signIn, authentication } = at(use().node.operators);
      const { secret } = await signIn.signedOn(SIGNED_ON, null);
      for (let n = 0; n < 29; n++) {
        time.now += MINUTE;
        expect(await authentication.session(secret, false)).toMatchObject({
          idleExpires: NOON + 30 * MINUTE,
        });
      }
      time.now += MINUTE;
      expect(await authentication.session(secret, false)).toBeUndefined();
    });

    it('a session ends in any case after its lifetime', async () => {
      const { time, signIn, authentication } = at(use().node.operators);
      const { secret } = await signIn.signedOn(SIGNED_ON, null);
      while (time.now < NOON + 2 * HOUR - 10 * MINUTE) {
        time.now += 10 * MINUTE;
        expect(await authentication.session(secret, true)).toBeDefined();
      }
      time.now += 10 * MINUTE;
      expect(await authentication.session(secret, true)).toBeUndefined();
    });

    it('a session by single sign-on ends if its settings have changed', async () => {
      const { node, other } = use();
      const { secret } = await at(node.operators).signIn.signedOn(SIGNED_ON, null);
      for (const [basis, isIn] of [
        ['b1', true],
        ['b2', false],
        [null, false],
      ] as const) {
        const session = await at(other.operators, { basis }).authentication.session(secret, true);
        expect(session !== undefined).toBe(isIn);
      }
    });

    it('a session ends by the limits that are in force now, and not later than it was to end', async () => {
      const { node, other } = use();
      const { secret } = await at(node.operators).signIn.signedOn(SIGNED_ON, null);
      const after = async (limits: Partial<SessionLimits>, ms: number) => {
        const there = at(other.operators, limits);
        there.time.now += ms;
        return there.authentication.session(secret, false);
      };
      const short = { lifetimeMs: 10 * MINUTE };
      expect(await after(short, 10 * MINUTE - 1)).toMatchObject({ expires: NOON + 10 * MINUTE });
      expect(await after(short, 10 * MINUTE)).toBeUndefined();
      expect(await after({ idleMs: 5 * MINUTE }, 5 * MINUTE)).toBeUndefined();
      const long = { lifetimeMs: DAY, idleMs: DAY };
      expect(await after(long, 2 * HOUR - 1)).toMatchObject({ expires: NOON + 2 * HOUR });
      expect(await after(long, 2 * HOUR)).toBeUndefined();
    });

    it('a session by a link is over where links are turned off, and no other is', async () => {
      const { node, other } = use();
      const { signIn } = at(node.operators);
      const { code } = await signIn.makeLink(OLGA, 'operator:root');
      const byLink = await signIn.redeem(code, null);
      const bySso = await signIn.signedOn(SIGNED_ON, null);
      const { authentication } = at(other.operators, { links: false });
      expect(await authentication.session(byLink.secret, true)).toBeUndefined();
      expect(await authentication.session(bySso.secret, true)).toBeDefined();
    });

    it('a link is valid for ten minutes, and for one session', async () => {
      const { node, other } = use();
      const { time, signIn } = at(node.operators);
      const there = at(other.operators);
      const first = await signIn.makeLink(OLGA, 'operator:root');
      const second = await signIn.makeLink(OLGA, 'operator:root');
      time.now += 10 * MINUTE - 1;
      const session = await signIn.redeem(first.code, 'Firefox on Linux');
      expect(session).toMatchObject({
        name: 'olga',
        role: 'operator',
        browser: 'Firefox on Linux',
      });
      there.time.now = time.now;
      await expect(there.signIn.redeem(first.code, null)).rejects.toThrow('has been used already');
      there.time.now += 1;
      await expect(there.signIn.redeem(second.code, null)).rejects.toThrow('has expired');
      for (const wrong of ['', 'x', first.code.slice(1), 'a'.repeat(43), `${second.code}\0`]) {
        await expect(there.signIn.redeem(wrong, null)).rejects.toThrow(LinkRefused);
      }
    });

    it('exactly one of many nodes that redeem a link at once opens a session', async () => {
      const { node, other } = use();
      const { signIn } = at(node.operators);
      const there = at(other.operators);
      const { code } = await signIn.makeLink(OLGA, 'operator:root');
      const tried = await Promise.allSettled(
        Array.from({ length: 8 }, (_, n) => (n % 2 ? signIn : there.signIn).redeem(code, null)),
      );
      expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await node.operators.sessions('olga')).toHaveLength(1);
    });

    it('expired sessions are removed, and expired links a day later', async () => {
      const { under, node } = use();
      const { time, signIn } = at(node.operators);
      await signIn.makeLink(OLGA, 'operator:root');
      await signIn.signedOn(SIGNED_ON, null);
      time.now += 20 * MINUTE;
      await signIn.signedOn(SIGNED_ON, null);
      await node.operators.removeExpired(NOON + 29 * MINUTE, 30 * MINUTE);
      expect(await under.rows('operator_sessions')).toHaveLength(2);
      await node.operators.removeExpired(NOON + 31 * MINUTE, 30 * MINUTE);
      expect(await under.rows('operator_sessions')).toHaveLength(1);
      expect(await under.rows('operator_links')).toHaveLength(1);
      await node.operators.removeExpired(NOON + 10 * MINUTE + DAY, 30 * MINUTE);
      expect(await under.rows('operator_sessions')).toHaveLength(0);
      expect(await under.rows('operator_links')).toHaveLength(0);
    });

    it('a client is known by its token until it expires or is revoked', async () => {
      const { node, other } = use();
      const { time, clients, authentication } = at(node.operators);
      const there = at(other.operators);
      const lasting = await clients.create('nightly', 'viewer', null, 'operator:root');
      const short = await clients.create('once', 'admin', DAY, 'operator:root');
      const nightly = { name: 'client:nightly', role: 'viewer', by: 'client' };
      expect(await there.authentication.client(lasting.token)).toMatchObject(nightly);
      time.now += DAY - 1;
      expect(await authentication.client(short.token)).toMatchObject({ role: 'admin' });
      time.now += 1;
      expect(await authentication.client(short.token)).toBeUndefined();
      await there.clients.revoke(lasting.client.clientId, 'operator:olga');
      expect(await authentication.client(lasting.token)).toBeUndefined();
      await expect(clients.revoke(lasting.client.clientId, 'x')).rejects.toThrow('revoked already');
      await expect(clients.revoke('opc_unknown', 'x')).rejects.toThrow('there is no client');
      for (const wrong of ['', 'x', lasting.token.slice(0, -1), lasting.token.toUpperCase()]) {
        expect(await authentication.client(wrong)).toBeUndefined();
      }
    });

    it('everything is in the audit log, with the name of the person who did it', async () => {
      const { node, other } = use();
      const { signIn, clients } = at(node.operators);
      const { code } = await signIn.makeLink(OLGA, 'operator:root');
      const { sessionId } = await signIn.redeem(code, null);
      await signIn.redeem(code, null).catch(() => undefined);
      await signIn.redeem('unknown', null).catch(() => undefined);
      await signIn.signedOn(SIGNED_ON, null);
      await node.operators.endSession(sessionId, { actor: 'operator:olga', now: NOON });
      expect(await node.operators.endSession(sessionId, { actor: 'x', now: NOON })).toBe(false);
      const { client } = await clients.create('nightly', 'viewer', null, 'operator:ada');
      await clients.revoke(client.clientId, 'operator:ada');
      const rows = await other.auditLog.list({ since: NOON, limit: 20 });
      const seen = rows.toReversed().map(({ actor, action }) => `${actor} ${action}`);
      expect(seen).toEqual([
        'operator:root operator.link_created',
        'operator:olga operator.signed_in',
        'operator:olga operator.sign_in_refused',
        'system operator.sign_in_refused',
        'operator:olga operator.signed_in',
        'operator:olga operator.signed_out',
        'operator:ada operator_client.created',
        'operator:ada operator_client.revoked',
      ]);
      expect(rows.find(({ detail }) => detail?.includes('"subject":"s1"'))).toBeDefined();
    });
  });
}
