// What every store of requests must do. A store passes when describeRequestStore does.
import { randomUUID } from 'node:crypto';
import type { RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../src/domain/request/identity.ts';
import type { NewRequest, RequestKey } from '../../src/domain/request/request.ts';
import type { RequestStore } from '../../src/domain/request/request-ports.ts';
import { StoreUnavailable } from '../../src/domain/store/store-unavailable.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';

export interface StoreUnderTest {
  readonly store: RequestStore;
  /** Write transactions so far. */
  transactions(): number;
  /** From now on a transaction with this request fails at its last statement. */
  poison(subjectRequestId: SubjectRequestId): Promise<void>;
  /** The request moves on without a cancellation, as it does when the window has passed. */
  setStatus(key: RequestKey, status: RequestStatus): Promise<void>;
  audit(key: RequestKey): Promise<{ action: string; actor: string; time: number }[]>;
  /** What is sealed for the request, opened; undefined where nothing is. */
  openIdentities(key: RequestKey): Promise<Identity[] | undefined>;
  close(): Promise<void>;
}

/** A fresh store that knows these controllers. */
export type MakeStore = (controllers: readonly ControllerId[]) => Promise<StoreUnderTest>;

const ACME = 'acme' as ControllerId;
const GLOBEX = 'globex' as ControllerId;

function aRequest(changes: Partial<NewRequest> = {}): NewRequest {
  return {
    controllerId: ACME,
    subjectRequestId: randomUUID() as SubjectRequestId,
    regulation: 'gdpr',
    submittedTime: '2026-11-15T02:00:00Z',
    identities: [new Identity('email', 'jane@example.com'), new Identity('email', 'j@example.com')],
    actor: 'client:one',
    ...changes,
  };
}

function inCase(request: NewRequest, change: 'toUpperCase' | 'toLowerCase'): NewRequest {
  const subjectRequestId = request.subjectRequestId[change]() as SubjectRequestId;
  return { ...request, subjectRequestId };
}

export function describeRequestStore(name: string, makeStore: MakeStore): void {
  describe(`requests in ${name}`, () => {
    let under: StoreUnderTest;
    let store: RequestStore;

    beforeEach(async () => {
      under = await makeStore([ACME, GLOBEX]);
      store = under.store;
    });
    afterEach(() => under.close());

    const cancel = (request: RequestKey, actor = 'client:two') => {
      const { controllerId, subjectRequestId } = request;
      return store.cancel({ controllerId, subjectRequestId, actor });
    };

    describe('creating', () => {
      it('answers when the request was received, and a read finds it pending', async () => {
        const request = aRequest();
        const before = Date.now();
        const outcome = await store.create(request);
        if (outcome.outcome !== 'created') throw new Error(outcome.outcome);
        expect(outcome.receivedTime).toBeGreaterThanOrEqual(before);
        expect(outcome.receivedTime).toBeLessThanOrEqual(Date.now());
        expect(await store.read(request)).toEqual({
          subjectRequestId: request.subjectRequestId,
          status: 'pending',
          receivedTime: outcome.receivedTime,
        });
      });

      it('seals the identities and writes one audit row with the actor', async () => {
        const request = aRequest();
        const outcome = await store.create(request);
        const values = (await under.openIdentities(request))?.map((it) => it.reveal());
        expect(values).toEqual(['jane@example.com', 'j@example.com']);
        expect(await under.audit(request)).toEqual([
          { action: 'request.created', actor: 'client:one', time: receivedTimeOf(outcome) },
        ]);
      });

      it('accepts a request without identities', async () => {
        const request = aRequest({ identities: [] });
        expect(await store.create(request)).toMatchObject({ outcome: 'created' });
        expect(await under.openIdentities(request)).toBeUndefined();
        expect(await cancel(request)).toMatchObject({ outcome: 'cancelled' });
      });

      it('accepts an identity that is named twice', async () => {
        const twice = [
          new Identity('email', 'j@example.com'),
          new Identity('email', 'J@example.com'),
        ];
        expect(await store.create(aRequest({ identities: twice }))).toMatchObject({
          outcome: 'created',
        });
      });

      it('refuses a second request with the same id, and does not change the first', async () => {
        const request = aRequest();
        await store.create(request);
        const second = aRequest({
          ...request,
          identities: [new Identity('email', 'x@example.com')],
        });
        expect(await store.create(second)).toEqual({ outcome: 'exists' });
        expect(await under.openIdentities(request)).toHaveLength(2);
        expect(await under.audit(request)).toHaveLength(1);
      });

      it('refuses the id of a cancelled request too', async () => {
        const request = aRequest();
        await store.create(request);
        await cancel(request);
        expect(await store.create(request)).toEqual({ outcome: 'exists' });
        expect(await under.openIdentities(request)).toBeUndefined();
      });

      it('compares ids without case and answers them as they were submitted', async () => {
        const request = inCase(aRequest(), 'toUpperCase');
        await store.create(request);
        const lower = inCase(request, 'toLowerCase');
        expect(await store.create(lower)).toEqual({ outcome: 'exists' });
        const { subjectRequestId } = request;
        expect(await store.read(lower)).toMatchObject({ subjectRequestId });
        expect(await cancel(lower)).toMatchObject({ outcome: 'cancelled', subjectRequestId });
      });

      it('keeps the ids of controllers apart', async () => {
        const ours = aRequest();
        const theirs = { ...ours, controllerId: GLOBEX };
        await store.create(ours);
        expect(await store.read(theirs)).toBeUndefined();
        expect(await cancel(theirs)).toEqual({ outcome: 'not_found' });
        expect(await store.create(theirs)).toMatchObject({ outcome: 'created' });
        await cancel(theirs);
        expect(await store.read(ours)).toMatchObject({ status: 'pending' });
        expect(await under.openIdentities(ours)).toHaveLength(2);
      });
    });

    describe('cancelling', () => {
      it('answers when the cancellation was received, and a read finds it cancelled', async () => {
        const request = aRequest();
        const created = await store.create(request);
        const outcome = await cancel(request);
        expect(outcome).toEqual({
          outcome: 'cancelled',
          subjectRequestId: request.subjectRequestId,
          receivedTime: expect.any(Number),
          requestTime: receivedTimeOf(created),
        });
        expect(receivedTimeOf(outcome)).toBeGreaterThanOrEqual(receivedTimeOf(created));
        const receivedTime = receivedTimeOf(created);
        expect(await store.read(request)).toMatchObject({ status: 'cancelled', receivedTime });
      });

      it('shreds the identities and writes one audit row with the actor', async () => {
        const request = aRequest();
        await store.create(request);
        await cancel(request);
        expect(await under.openIdentities(request)).toBeUndefined();
        expect((await under.audit(request)).map(({ action, actor }) => [action, actor])).toEqual([
          ['request.created', 'client:one'],
          ['request.cancelled', 'client:two'],
        ]);
      });

      it('finds no request that was never created', async () => {
        expect(await cancel(aRequest())).toEqual({ outcome: 'not_found' });
      });

      it.each<RequestStatus>(['in_progress', 'completed', 'cancelled'])(
        'leaves a request that is %s as it is',
        async (status) => {
          const request = aRequest();
          await store.create(request);
          if (status === 'cancelled') await cancel(request);
          else await under.setStatus(request, status);
          const before = await under.audit(request);
          expect(await cancel(request)).toEqual({ outcome: 'not_pending', status });
          expect(await store.read(request)).toMatchObject({ status });
          expect(await under.audit(request)).toEqual(before);
          if (status !== 'cancelled') expect(await under.openIdentities(request)).toHaveLength(2);
        },
      );
    });

    describe('many at once', () => {
      it('share few transactions, and each has its own outcome', async () => {
        const requests = Array.from({ length: 100 }, () => aRequest());
        const outcomes = await Promise.all([...requests, ...requests].map(store.create));
        // Whichever comes first: they were sent at once.
        for (const index of requests.keys()) {
          const both = [outcomes[index]?.outcome, outcomes[index + 100]?.outcome];
          expect(both.toSorted()).toEqual(['created', 'exists']);
        }
        expect(under.transactions()).toBeLessThan(50);
      });

      it('accept a create and its cancellation in the same event-loop iteration', async () => {
        const request = aRequest();
        const outcomes = await Promise.all([store.create(request), cancel(request)]);
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'cancelled']);
        expect(await under.openIdentities(request)).toBeUndefined();
      });

      it('let exactly one of many cancellations win', async () => {
        const request = aRequest();
        await store.create(request);
        const outcomes = await Promise.all(Array.from({ length: 50 }, () => cancel(request)));
        expect(outcomes.filter(({ outcome }) => outcome === 'cancelled')).toHaveLength(1);
        expect(outcomes.filter(({ outcome }) => outcome === 'not_pending')).toHaveLength(49);
        expect(await under.audit(request)).toHaveLength(2);
      });

      it('have one transaction each when they come one after the other', async () => {
        const before = under.transactions();
        for (let n = 0; n < 3; n++) await store.create(aRequest());
        expect(under.transactions() - before).toBe(3);
      });

      it('are rejected with the transaction that fails, and nothing of them is stored', async () => {
        const requests = Array.from({ length: 200 }, () => aRequest());
        const poisoned = requests[150] as NewRequest;
        await under.poison(poisoned.subjectRequestId);
        const outcomes = await Promise.allSettled(requests.map(store.create));
        expect(outcomes[150]?.status).toBe('rejected');
        expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
        for (const [index, outcome] of outcomes.entries()) {
          const request = requests[index] as NewRequest;
          const stored = await store.read(request);
          expect(stored !== undefined).toBe(outcome.status === 'fulfilled');
          expect(await under.audit(request)).toHaveLength(stored === undefined ? 0 : 1);
          if (outcome.status === 'rejected')
            expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
        }
      });

      it('are stored after a failure as if nothing had been', async () => {
        const poisoned = aRequest();
        await under.poison(poisoned.subjectRequestId);
        await expect(store.create(poisoned)).rejects.toThrow(StoreUnavailable);
        expect(await store.create(aRequest())).toMatchObject({ outcome: 'created' });
      });
    });

    it('a read of an unknown id finds nothing', async () => {
      expect(await store.read(aRequest())).toBeUndefined();
    });
  });
}

function receivedTimeOf(outcome: { outcome: string; receivedTime?: number }): number {
  if (outcome.receivedTime === undefined) throw new Error(`${outcome.outcome} has no time`);
  return outcome.receivedTime;
}
