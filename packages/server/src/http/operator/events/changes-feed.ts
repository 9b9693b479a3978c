// Polls for changes once a second for all clients together, and not at all while none listens.
import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import type { Changes, ChangesSeen, OperatorViews } from '../../../domain/operator/view-ports.ts';

export type ChangedSubject =
  | 'requests'
  | 'tasks'
  | 'targets'
  | 'pause'
  | 'alarms'
  | 'controllers'
  | 'keys'
  | 'restore'
  | 'sessions'
  | 'audit';

export interface ChangeEvent {
  readonly what: readonly ChangedSubject[];
  /** Left out if there are too many. */
  readonly requests?: readonly {
    readonly controller_id: string;
    readonly subject_request_id: string;
  }[];
}

export type Listener = (event: ChangeEvent) => void;

export interface ChangesFeed {
  /** Returns a function that stops listening. From `onReady` on, every change is reported. */
  listen(listener: Listener, onReady?: () => void): () => void;
  close(): void;
}

const MAX_REQUESTS = 100;

export function createChangesFeed(
  views: Pick<OperatorViews, 'changes'>,
  everyMs: number,
): ChangesFeed {
  const listeners = new Set<Listener>();
  /** Ready callbacks of listeners that subscribed before the feed knew its position. */
  const notReady = new Map<Listener, () => void>();
  let timer: NodeJS.Timeout | undefined;
  let seen: ChangesSeen | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const changes = await views.changes(seen);
      const isFirst = seen === undefined;
      seen = changes.seen;
      const event = isFirst ? undefined : eventOf(changes);
      if (event !== undefined) for (const tell of listeners) tell(event);
      for (const tellReady of notReady.values()) tellReady();
      notReady.clear();
    } catch {
      // If the store cannot be reached, try again; the console's other calls report the problem.
    } finally {
      isLooking = false;
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    seen = undefined;
  }

  return {
    listen(listener, onReady = () => undefined) {
      listeners.add(listener);
      if (seen === undefined) notReady.set(listener, onReady);
      else onReady();
      if (timer === undefined) {
        void look();
        timer = setInterval(() => void look(), everyMs).unref();
      }
      return () => {
        listeners.delete(listener);
        notReady.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    close() {
      listeners.clear();
      notReady.clear();
      stop();
    },
  };
}

function eventOf({ rows, hasMore: isMore, alarms, targets }: Changes): ChangeEvent | undefined {
  const what = new Set<ChangedSubject>();
  if (alarms) what.add('alarms');
  if (targets) what.add('targets');
  if (rows.length > 0) what.add('audit');
  for (const { action } of rows) for (const subject of subjectsOf(action)) what.add(subject);
  if (what.size === 0) return undefined;
  const requests = new Map(
    rows.flatMap(({ controllerId, subjectRequestId }) =>
      controllerId === null || subjectRequestId === null
        ? []
        : [
            [
              `${controllerId} ${subjectRequestId}`,
              { controller_id: controllerId, subject_request_id: subjectRequestId },
            ],
          ],
    ),
  );
  const isListed = !isMore && requests.size <= MAX_REQUESTS;
  return { what: [...what], ...(isListed && { requests: [...requests.values()] }) };
}

const SUBJECTS: Readonly<Record<string, readonly ChangedSubject[]>> = {
  request: ['requests', 'tasks'],
  task: ['requests', 'tasks', 'targets'],
  receipt: ['requests'],
  evidence: ['requests'],
  identity: ['requests'],
  erasing: ['pause', 'targets'],
  store: ['restore', 'pause'],
  controller: ['controllers'],
  client: ['controllers'],
  secret: ['controllers'],
  token: ['controllers'],
  master_key: ['keys'],
  signing_key: ['keys'],
  operator: ['sessions'],
};

function subjectsOf(action: AuditAction): readonly ChangedSubject[] {
  const [noun = ''] = action.split('.');
  return Object.hasOwn(SUBJECTS, noun) ? (SUBJECTS[noun] ?? []) : [];
}
