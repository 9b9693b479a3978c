// A request as one line of a list.
import type { RequestPageQuery, RequestPlace, ViewPage } from '../../domain/operator/view-ports.ts';
import type { Outcome } from '../../domain/request/outcome.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { TaskState } from '../../domain/task/task.ts';
import { requestShape } from './request-shape.ts';

export function requestLine(
  request: RequestSummary,
  open: ReadonlyMap<TaskState, number> | undefined,
  outcome: Outcome = 'still open',
) {
  return {
    ...requestShape(request),
    outcome,
    open_tasks:
      open === undefined
        ? null
        : {
            held: open.get('held') ?? 0,
            failed: open.get('failed') ?? 0,
            waiting: open.get('waiting') ?? 0,
            running: open.get('running') ?? 0,
          },
  };
}

export type RequestLine = ReturnType<typeof requestLine>;

type Reads = Pick<Store, 'tasks' | 'views'>;
type Lines = { readonly items: RequestLine[]; readonly next: RequestPlace | null };

/** Outcomes of completed requests, which a list can be filtered by. */
export const FINAL_OUTCOMES = ['erased', 'partly retained', 'retained', 'found nowhere'] as const;

export type OutcomeFilter = (typeof FINAL_OUTCOMES)[number];

export interface LinesQuery extends RequestPageQuery {
  readonly outcome?: OutcomeFilter;
}

export async function requestLines(
  store: Reads,
  { outcome, ...query }: LinesQuery,
): Promise<Lines> {
  const { items, next } =
    outcome === undefined
      ? await store.views.requests(query)
      : await requestsWithOutcome(store, query, outcome);
  const open = await store.views.openTasks(items.map(({ requestNo }) => requestNo));
  const outcomes = await store.tasks.outcomes(items);
  return {
    items: items.map((it) => requestLine(it, open.get(it.requestNo), outcomes.get(it.requestNo))),
    next,
  };
}

/** An outcome follows from the evidence, and is stored nowhere: so many are read for one page. */
const MAX_READ = 1000;
/** At once: short enough that it does not delay what else the thread does. */
const AT_ONCE = 200;

async function requestsWithOutcome(
  { views, tasks }: Reads,
  query: RequestPageQuery,
  outcome: OutcomeFilter,
): Promise<ViewPage<RequestSummary, RequestPlace>> {
  const found: RequestSummary[] = [];
  if (query.status !== undefined && query.status !== 'completed') return { items: [], next: null };
  let after = query.after;
  for (let read = 0; read < MAX_READ; ) {
    const page = await views.requests({
      ...query,
      status: 'completed',
      limit: AT_ONCE,
      ...(after !== undefined && { after }),
    });
    const outcomes = await tasks.outcomes(page.items);
    for (const request of page.items) {
      if (outcomes.get(request.requestNo) !== outcome) continue;
      found.push(request);
      if (found.length === query.limit) {
        const { completedTime: time, requestNo } = request;
        const isLast = page.next === null && request === page.items.at(-1);
        return { items: found, next: isLast ? null : { time, requestNo } };
      }
    }
    if (page.next === null) return { items: found, next: null };
    after = page.next;
    // A page that is not full has read thousands for its filters.
    read += page.items.length < AT_ONCE ? MAX_READ : AT_ONCE;
  }
  return { items: found, next: after ?? null };
}

/** The same for requests that were found in another way. */
export async function linesOf(
  { tasks }: Pick<Store, 'tasks'>,
  requests: readonly RequestSummary[],
): Promise<RequestLine[]> {
  const outcomes = await tasks.outcomes(requests);
  return requests.map((it) => requestLine(it, undefined, outcomes.get(it.requestNo)));
}
