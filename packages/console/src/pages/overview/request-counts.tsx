// Requests by status: a bar of all, and each with its number.
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/overview-types.ts';
import type { RequestStatus } from '../../api/request-types.ts';
import { Card } from '../../components/card.tsx';
import { RequestStatusMark } from '../../components/status.tsx';
import { formatNumber, t } from '../../words/t.ts';

const STATUSES: readonly RequestStatus[] = ['pending', 'in_progress', 'completed', 'cancelled'];
const COLOURS: Readonly<Record<RequestStatus, string>> = {
  pending: 'bg-edge',
  in_progress: 'bg-accent',
  completed: 'bg-good',
  cancelled: 'bg-idle',
};

export function RequestCounts({ requests }: { requests: Overview['requests'] }) {
  const all = STATUSES.reduce((sum, status) => sum + requests[status], 0);
  return (
    <Card
      flush
      title={t('nav.requests')}
      aside={
        <Link to="/requests" className="link">
          {t('all')}
        </Link>
      }
    >
      <div className="flex h-2 gap-0.5 overflow-hidden px-4 pt-4 box-content" aria-hidden="true">
        {STATUSES.filter((status) => requests[status] > 0).map((status) => (
          <span
            key={status}
            className={`min-w-1 rounded-full ${COLOURS[status]}`}
            style={{ flexGrow: requests[status] / Math.max(all, 1), flexBasis: 0 }}
          />
        ))}
        {all === 0 ? <span className="flex-1 rounded-full bg-line" /> : null}
      </div>
      <ul className="py-2">
        {STATUSES.map((status) => (
          <li key={status}>
            <Link
              to="/requests"
              search={{ status }}
              className="flex items-center justify-between px-4 py-1.5 hover:bg-hover"
            >
              <RequestStatusMark status={status} />
              <span className="numbers text-ink-2">
                {formatNumber(requests[status])}
                {requests.capped.includes(status) ? '+' : ''}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
