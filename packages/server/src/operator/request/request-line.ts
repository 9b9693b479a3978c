// A request as one line of a list.
import { statutoryLimit } from '../../domain/deadline/statutory-deadline.ts';
import type {
  OperatorViews,
  RequestPageQuery,
  RequestPlace,
} from '../../domain/operator/view-ports.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { TaskState } from '../../domain/task/task.ts';
import { isoTime } from '../iso-time.ts';
import { requestShape } from './request-shape.ts';

export function requestLine(
  request: RequestSummary,
  open: ReadonlyMap<TaskState, number> | undefined,
) {
  return {
    ...requestShape(request),
    statutory_deadline: isoTime(statutoryLimit(request).end),
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

export async function requestLines(
  views: Pick<OperatorViews, 'requests' | 'openTasks'>,
  query: RequestPageQuery,
): Promise<{ readonly items: RequestLine[]; readonly next: RequestPlace | null }> {
  const { items, next } = await views.requests(query);
  const open = await views.openTasks(items.map(({ requestNo }) => requestNo));
  return { items: items.map((it) => requestLine(it, open.get(it.requestNo))), next };
}
