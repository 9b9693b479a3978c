import { Link } from '@tanstack/react-router';
import type { RequestLine } from '../../api/request-types.ts';
import type { Column } from '../../components/data-table.tsx';
import { TimeLeft } from '../../components/deadline.tsx';
import { Pill, RequestStatusMark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tName, tn } from '../../words/t.ts';

export const REQUEST_COLUMNS: readonly Column<RequestLine>[] = [
  {
    id: 'status',
    header: t('status'),
    width: '7.5rem',
    narrow: '6.8rem',
    cell: (line) => <RequestStatusMark status={line.request_status} />,
  },
  {
    id: 'request',
    header: t('request'),
    width: 'minmax(6rem, 19rem)',
    narrow: 'minmax(0, 1fr)',
    cell: (line) => (
      <Link
        to="/requests/$controllerId/$requestId"
        params={{ controllerId: line.controller_id, requestId: line.subject_request_id }}
        className="mono hover:underline"
        title={line.subject_request_id}
      >
        {line.subject_request_id}
      </Link>
    ),
  },
  {
    id: 'controller',
    header: t('controller'),
    width: 'minmax(6rem, 0.8fr)',
    wideOnly: true,
    cell: (line) => (
      <Link
        to="/controllers/$controllerId"
        params={{ controllerId: line.controller_id }}
        className="text-ink-2 hover:underline"
      >
        {line.controller_id}
      </Link>
    ),
  },
  {
    id: 'tasks',
    header: t('outcome'),
    width: 'minmax(7rem, 1fr)',
    wideOnly: true,
    cell: (line) =>
      line.request_status === 'completed' && line.outcome !== 'still open' ? (
        <span className="text-ink-2">{tName('ended', line.outcome)}</span>
      ) : (
        <OpenTasks tasks={line.open_tasks} />
      ),
  },
  {
    id: 'regulation',
    header: t('regulation'),
    width: '5.5rem',
    wideOnly: true,
    cell: (line) => <span className="text-ink-2">{tName('regulation', line.regulation)}</span>,
  },
  {
    id: 'received',
    header: t('received'),
    width: '7rem',
    wideOnly: true,
    cell: (line) => <Time iso={line.received_time} className="text-ink-2" />,
  },
  {
    id: 'deadline',
    header: t('requests.ends'),
    width: 'minmax(6rem, 8.5rem)',
    narrow: '6.6rem',
    alignEnd: true,
    cell: (line) => <Ends line={line} />,
  },
];

function OpenTasks({ tasks }: { tasks: RequestLine['open_tasks'] }) {
  if (tasks === null) return null;
  return (
    <span className="flex gap-1.5">
      {tasks.held > 0 ? <Pill tone="warn">{tn('tasks.held', tasks.held)}</Pill> : null}
      {tasks.failed > 0 ? <Pill tone="bad">{tn('tasks.failed', tasks.failed)}</Pill> : null}
      {tasks.held + tasks.failed === 0 ? (
        <span className="text-ink-3">{tn('tasks.open', tasks.waiting + tasks.running)}</span>
      ) : null}
    </span>
  );
}

function Ends({ line }: { line: RequestLine }) {
  if (line.completed_time !== null)
    return <Time iso={line.completed_time} className="text-ink-2" />;
  if (line.cancelled_time !== null)
    return <Time iso={line.cancelled_time} className="text-ink-2" />;
  const { expected_completion_time: expected, statutory_deadline: byLaw } = line;
  return <TimeLeft deadline={byLaw < expected ? byLaw : expected} />;
}
