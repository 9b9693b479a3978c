// After a backup of Unwrite's own store was restored: what is known about the lost time, and the confirmation.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { LostRequest, Restore } from '../../api/other-types.ts';
import { restoreQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Mark, RequestStatusMark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tName, tn } from '../../words/t.ts';
import { AddFiles } from './add-files.tsx';

export function RestorePage() {
  const { data: pages, error, refetch, ...more } = useInfiniteQuery(restoreQuery);
  const { fetchNextPage, hasNextPage, isFetching } = more;
  const read = pages?.pages.length ?? 0;
  const [wanted, setWanted] = useState(1);
  // Repeated until it has arrived: a change of the list cancels a running read.
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null && read < wanted) void fetchNextPage();
  }, [hasNextPage, isFetching, error, read, wanted, fetchNextPage]);
  // All pages have the same facts about the restore and the same etag.
  const data = pages?.pages[0];
  const [declaring, setDeclaring] = useState(false);
  const isAdmin = useMay('admin');
  return (
    <Page
      title={t('restore.title')}
      lead={t('restore.lead')}
      back={{ to: '/settings', label: t('nav.settings') }}
      actions={
        isAdmin && data?.went_back === false ? (
          <Button onClick={() => setDeclaring(true)}>{t('restore.declare')}</Button>
        ) : null
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading rows={4} /> : null}
      {data?.went_back === false ? (
        <div className="card">
          <Empty title={t('restore.none')}>{t('restore.none.more')}</Empty>
        </div>
      ) : null}
      {data?.went_back ? (
        <Open
          restore={data}
          requests={pages?.pages.flatMap(({ requests }) => requests) ?? []}
          isReading={read < wanted && hasNextPage}
          readMore={() => setWanted(read + 1)}
        />
      ) : null}
      {declaring ? (
        <AskDialog
          title={t('restore.declare.question')}
          description={t('restore.declare.meaning')}
          button={t('restore.declare')}
          action={() => ({ path: '/restore/declare', done: t('restore.declared') })}
          onClose={() => setDeclaring(false)}
        />
      ) : null}
    </Page>
  );
}

interface OpenProps {
  readonly restore: Restore;
  /** Requests of the pages read so far. */
  readonly requests: readonly LostRequest[];
  readonly isReading: boolean;
  readonly readMore: () => void;
}

function Open({ restore, requests, isReading, readMore }: OpenProps) {
  const review = useAction();
  /** The version of the list that the person saw: later additions are not confirmed. */
  const [confirming, setConfirming] = useState<string>();
  const mayReview = useMay('operator');
  const isAdmin = useMay('admin');
  const more = restore.count - requests.length;
  return (
    <div className="flex flex-col gap-4 lg:gap-5">
      <section className="card flex gap-3 border-bad/40 bg-bad-soft p-4">
        <span className="pt-1">
          <Mark tone="bad" shape="triangle" />
        </span>
        <div className="min-w-0">
          <p className="font-semibold text-bad">{t('restore.open')}</p>
          <p className="mt-0.5 break-words">{restore.reason}</p>
          <p className="mt-1 text-sm text-ink-2">
            {t('restore.noticed', { by: restore.detected_by ?? '' })}{' '}
            <Time iso={restore.detected_time} />
          </p>
        </div>
      </section>
      <Card
        flush
        title={t('restore.lost')}
        aside={
          mayReview ? (
            <span className="flex flex-wrap gap-2">
              <AddFiles />
              <Button
                size="small"
                icon="refresh"
                busy={review.isPending}
                onClick={() =>
                  review.mutate({ path: '/restore/review', done: t('restore.reviewed') })
                }
              >
                {t('restore.review')}
              </Button>
            </span>
          ) : undefined
        }
      >
        {requests.length === 0 ? (
          <Empty title={t('restore.nothingKnown')}>{t('restore.nothingKnown.more')}</Empty>
        ) : (
          <ul className="divide-y">
            {requests.map((it) => (
              <Lost key={`${it.controller_id} ${it.subject_request_id} ${it.was}`} lost={it} />
            ))}
            {more > 0 ? (
              <li className="flex flex-wrap items-center gap-3 px-4 py-2.5 text-ink-2">
                {tn('restore.more', more)}
                <Button size="small" busy={isReading} onClick={readMore}>
                  {t('more')}
                </Button>
              </li>
            ) : null}
          </ul>
        )}
        <p className="border-t px-4 py-3 text-sm text-ink-2">{t('restore.advice')}</p>
      </Card>
      {isAdmin ? (
        <div>
          <Button look="primary" icon="check" onClick={() => setConfirming(restore.etag)}>
            {t('restore.confirm')}
          </Button>
        </div>
      ) : null}
      {confirming !== undefined ? (
        <AskDialog
          title={t('restore.confirm.question')}
          description={t('restore.confirm.meaning')}
          button={t('restore.confirm.button')}
          action={() => ({
            path: '/restore/confirm',
            options: { body: {}, etag: confirming },
            done: t('restore.confirmed'),
          })}
          onClose={() => setConfirming(undefined)}
        />
      ) : null}
    </div>
  );
}

function Lost({ lost }: { lost: LostRequest }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 flex-1 basis-64">
        <Link
          to="/requests/$controllerId/$requestId"
          params={{ controllerId: lost.controller_id, requestId: lost.subject_request_id }}
          className="hover:underline"
        >
          <span className="mono">{lost.subject_request_id.slice(0, 8)}</span>{' '}
          <span className="text-ink-2">{lost.controller_id}</span>
        </Link>
        <span className="block text-sm text-ink-2">
          {t('restore.was', { what: tName('restore.what', lost.was) })} <Time iso={lost.time} />
          {' · '}
          {t('restore.from', { source: lost.known_from })}
        </span>
      </span>
      <span className="text-sm">{t('restore.confirming', { what: lost.confirming })}</span>
      {lost.request_status === null ? null : <RequestStatusMark status={lost.request_status} />}
    </li>
  );
}
