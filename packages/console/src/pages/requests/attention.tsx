// Everything that needs a decision, nearest deadline first.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { attentionQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { useList } from '../../components/use-list.ts';
import { t, tName } from '../../words/t.ts';
import { ReleaseAll } from '../tasks/release-all.tsx';
import { AttentionRow } from './attention-row.tsx';

const WHAT = [
  'release',
  'confirm',
  'identify',
  'target_down',
  'retry',
  'paused',
  'wait',
  'legal_hold',
  'look',
];

export function AttentionPage() {
  const filters = useSearch({ from: '/attention' });
  const navigate = useNavigate();
  const list = useList(attentionQuery(filters));
  const [releasing, setReleasing] = useState(false);
  const mayAct = useMay('operator');
  return (
    <Page
      title={t('attention.title')}
      lead={t('attention.lead')}
      back={{ to: '/', label: t('nav.overview') }}
      actions={
        mayAct && list.rows?.some(({ what }) => what === 'release') ? (
          <Button onClick={() => setReleasing(true)}>{t('releaseAll.open')}</Button>
        ) : null
      }
    >
      {releasing ? (
        <ReleaseAll
          {...(filters.target !== undefined && { target: filters.target })}
          onClose={() => setReleasing(false)}
        />
      ) : null}
      <div className="no-print mb-3 flex flex-wrap gap-2">
        <FilterSelect
          label={t('attention.what')}
          value={filters.what ?? ''}
          onChange={({ target }) =>
            void navigate({
              to: '/attention',
              search: { ...filters, what: target.value === '' ? undefined : target.value },
              replace: true,
            })
          }
          options={[
            ['', t('attention.any')],
            ...WHAT.map((it) => [it, tName('what', it)] as const),
          ]}
        />
      </div>
      {list.error === null ? null : <Failure error={list.error} onRetry={list.refetch} />}
      {list.isCapped ? (
        <p role="status" className="mb-3 rounded-[7px] bg-warn-soft px-3 py-2 text-sm">
          {t('attention.capped')}
        </p>
      ) : null}
      <section className="card">
        {list.rows === undefined && list.error === null ? <Loading rows={8} /> : null}
        {list.rows?.length === 0 ? (
          <Empty title={t('attention.none')}>{t('attention.none.more')}</Empty>
        ) : null}
        <ul className="divide-y">
          {(list.rows ?? []).map((item) => (
            <AttentionRow key={`${item.subject_request_id} ${item.task}`} item={item} />
          ))}
        </ul>
      </section>
      {list.hasMore ? (
        <Button className="mt-3" busy={list.isReading} onClick={list.readMore}>
          {t('more')}
        </Button>
      ) : null}
    </Page>
  );
}
