import { useQuery } from '@tanstack/react-query';
import type { Node } from '../../api/other-types.ts';
import { nodesQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { Failure, Loading } from '../../components/failure.tsx';
import { Mark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tName, tn } from '../../words/t.ts';

export function NodesCard() {
  const { data, error, refetch } = useQuery(nodesQuery);
  return (
    <Card flush title={t('nodes.title')}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      {differ(data?.items ?? []) ? (
        <p role="status" className="flex items-baseline gap-2 border-b px-4 py-2 text-sm">
          <Mark tone="warn" shape="diamond" />
          {t('nodes.differ')}
        </p>
      ) : null}
      <ul className="divide-y">
        {(data?.items ?? []).map((node) => (
          <li key={node.node} className="px-4 py-2.5">
            <p className="flex flex-wrap items-center gap-x-2">
              <Mark
                tone={node.is_alive ? 'good' : 'bad'}
                shape={node.is_alive ? 'dot' : 'triangle'}
              />
              <span className="font-medium">{node.host}</span>
              <span className="text-sm text-ink-2">
                {tName('nodeRole', node.role)} · {tName('nodeState', node.state)} · {node.version}
              </span>
              <span className="ml-auto text-sm text-ink-3">
                {t('nodes.seen')} <Time iso={node.seen_time} />
              </span>
            </p>
            <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm text-ink-2">
              <span>
                {t('nodes.configuration')} <span className="mono">{node.configuration}</span>
              </span>
              <span aria-hidden>·</span>
              <span>
                {node.batches.length === 0
                  ? t('nodes.idle')
                  : node.batches
                      .map(({ target, tasks }) => `${target}: ${tn('nodes.tasks', tasks)}`)
                      .join(', ')}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function differ(nodes: readonly Node[]): boolean {
  const alive = nodes.filter((node) => node.is_alive);
  return new Set(alive.map((node) => node.configuration)).size > 1;
}
