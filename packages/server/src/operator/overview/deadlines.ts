// The next deadlines: the expected completion that the controller was told, and the statutory one.
import { expectedCompletion, THIRTY_DAYS } from '../../domain/deadline/expected-completion.ts';
import { statutoryLimit } from '../../domain/deadline/statutory-deadline.ts';
import type { NearDeadlines, OperatorViews } from '../../domain/operator/view-ports.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { isoTime } from '../iso-time.ts';

const DAYS = 30;
const MAX_SHOWN = 20;

export async function readDeadlines(
  views: Pick<OperatorViews, 'nearDeadlines' | 'openBySpan'>,
  now: number,
) {
  const near = await views.nearDeadlines();
  const nearest = near.requests
    .map((request) => ({ request, end: nearestEnd(request) }))
    .sort((a, b) => a.end - b.end)
    .slice(0, MAX_SHOWN)
    .map(({ request }) => deadlineOf(request, now));
  return { nearest, days: withLaw(await daysLeft(views, now), near, now) };
}

/** Adds the statutory deadlines by day, for requests with near deadlines. */
function withLaw(
  days: Awaited<ReturnType<typeof daysLeft>>,
  { requests, capped }: NearDeadlines,
  now: number,
) {
  const byLaw = new Map<number, number>();
  for (const request of requests) {
    const { end } = statutoryLimit(request);
    const left = Math.max(-1, Math.floor((end - now) / DAY_MS));
    if (left < DAYS) byLaw.set(left, (byLaw.get(left) ?? 0) + 1);
  }
  const expected = new Map(days.map((day) => [day.days_left, day]));
  return [...new Set([...expected.keys(), ...byLaw.keys()])]
    .sort((a, b) => a - b)
    .map((left) => ({
      days_left: left,
      count: expected.get(left)?.count ?? 0,
      capped: expected.get(left)?.capped ?? false,
      by_law: byLaw.get(left) ?? 0,
      by_law_capped: capped,
    }));
}

function nearestEnd(request: RequestSummary): number {
  return Math.min(expectedCompletion(request.receivedTime), statutoryLimit(request).end);
}

function deadlineOf(request: RequestSummary, now: number) {
  const { regulation, receivedTime } = request;
  const expected = expectedCompletion(receivedTime);
  const statutory = statutoryLimit(request).end;
  return {
    controller_id: request.controllerId,
    subject_request_id: request.subjectRequestId,
    request_status: request.status,
    regulation,
    received_time: isoTime(receivedTime),
    expected_completion_time: isoTime(expected),
    statutory_deadline: isoTime(statutory),
    nearest: statutory < expected ? 'statutory' : 'expected',
    days_left: Math.round(((nearestEnd(request) - now) / DAY_MS) * 10) / 10,
  };
}

/** How many open requests have how many days left until their expected completion. -1 means that it has passed. */
async function daysLeft(views: Pick<OperatorViews, 'openBySpan'>, now: number) {
  const overdue = { from: Number.MIN_SAFE_INTEGER, until: now - THIRTY_DAYS };
  const spans = Array.from({ length: DAYS }, (_, left) => {
    const from = now - THIRTY_DAYS + left * DAY_MS;
    // After the clock was set back, some requests were received in the future.
    return { from, until: left === DAYS - 1 ? Number.MAX_SAFE_INTEGER : from + DAY_MS };
  });
  const counts = await views.openBySpan([overdue, ...spans]);
  return counts
    .map(({ count, capped }, at) => ({ days_left: at - 1, count, capped }))
    .filter(({ count }) => count > 0);
}
