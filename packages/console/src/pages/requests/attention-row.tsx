// One item that needs a decision, with the button for it.
import { Link } from '@tanstack/react-router';
import { requestPath } from '../../api/http.ts';
import type { AttentionItem } from '../../api/overview-types.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { TimeLeft } from '../../components/deadline.tsx';
import { t, tName, tn } from '../../words/t.ts';
import { useDecide } from '../tasks/deciding.tsx';

export function AttentionRow({ item }: { item: AttentionItem }) {
  const { controller_id: controllerId, subject_request_id: requestId } = item;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5 sm:flex-nowrap">
      <div className="min-w-0 flex-1 basis-64">
        <Link
          to="/requests/$controllerId/$requestId"
          params={{ controllerId, requestId }}
          className="flex min-w-0 items-baseline gap-x-2 hover:underline"
        >
          <span className="font-medium whitespace-nowrap">{tName('reason', item.reason)}</span>
          {item.target === null ? null : (
            <span className="truncate text-ink-2">{t('at', { target: item.target })}</span>
          )}
        </Link>
        <p className="truncate text-sm text-ink-2" title={item.detail}>
          {item.detail}
        </p>
      </div>
      <div className="w-44 min-w-0 text-sm">
        <span className="block truncate text-ink-2">
          {controllerId} · <span className="mono">{requestId.slice(0, 8)}</span>
        </span>
        <TimeLeft deadline={item.deadline} />
      </div>
      <div className="no-print ml-auto flex w-auto justify-end sm:w-28">
        <Do item={item} />
      </div>
    </li>
  );
}

function Do({ item }: { item: AttentionItem }) {
  const mayAct = useMay('operator');
  if (!mayAct) return null;
  if (item.task !== null && (item.what === 'release' || item.what === 'confirm')) {
    return <Decide task={item.task} what={item.what} />;
  }
  if (item.what === 'retry' || item.what === 'target_down') return <Retry item={item} />;
  return (
    <Link
      to="/requests/$controllerId/$requestId"
      params={{ controllerId: item.controller_id, requestId: item.subject_request_id }}
      className="link text-sm"
    >
      {t(item.what === 'identify' ? 'do.identify' : 'do.look')}
    </Link>
  );
}

function Decide({ task, what }: { task: number; what: 'release' | 'confirm' }) {
  const decide = useDecide();
  return (
    <Button size="small" look="primary" onClick={() => decide({ task })}>
      {t(what === 'release' ? 'do.decide' : 'do.confirm')}
    </Button>
  );
}

function Retry({ item }: { item: AttentionItem }) {
  const retry = useAction<{ tasks: number }>();
  const path = `${requestPath(item.controller_id, item.subject_request_id)}/retry`;
  return (
    <Button
      size="small"
      icon="refresh"
      busy={retry.isPending}
      onClick={() => retry.mutate({ path, done: tn('retry.done', 1) })}
    >
      {t('do.retry')}
    </Button>
  );
}
