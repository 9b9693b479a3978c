// Which deadline is the nearest: by its time, not by its day.
import { expect, it } from 'vitest';
import type { RequestSummary } from '../../src/domain/request/request.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { readDeadlines } from '../../src/operator/overview/deadlines.ts';

const NOW = Date.parse('2026-11-17T00:00:00Z');
const MINUTE = 60_000;

function request(id: string, receivedTime: number): RequestSummary {
  return {
    controllerId: 'acme' as ControllerId,
    subjectRequestId: id,
    status: 'pending',
    regulation: 'gdpr',
    submittedTime: new Date(receivedTime).toISOString(),
    receivedTime,
    requestNo: 1,
    identityCount: 1,
    cancelledTime: null,
    completedTime: null,
    extendedUntil: null,
  } as unknown as RequestSummary;
}

it('of requests that are due within an hour, the first is the first', async () => {
  const found = [30, 10, 40, 20].map((minutes) =>
    request(`after ${minutes}`, NOW + minutes * MINUTE),
  );
  const { nearest } = await readDeadlines(
    { nearDeadlines: async () => ({ requests: found, capped: false }), openBySpan: async () => [] },
    NOW,
  );
  expect(nearest.map(({ subject_request_id: id }) => id)).toEqual([
    'after 10',
    'after 20',
    'after 30',
    'after 40',
  ]);
});

it('a count by law that is of some requests only says so', async () => {
  const requests = [request('one', NOW)];
  for (const capped of [false, true]) {
    const views = {
      nearDeadlines: async () => ({ requests, capped }),
      openBySpan: async () => [],
    };
    const { days } = await readDeadlines(views, NOW + 20 * 86_400_000);
    expect(days).toMatchObject([{ by_law: 1, by_law_capped: capped }]);
  }
});
