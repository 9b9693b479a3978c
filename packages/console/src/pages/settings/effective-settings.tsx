// Every setting with its current value and source.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { settingsQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Pill } from '../../components/status.tsx';
import { t } from '../../words/t.ts';
import { ReloadSettings } from './reload-settings.tsx';

export function EffectiveSettings() {
  const { data, error, refetch } = useQuery(settingsQuery);
  const isAdmin = useMay('admin');
  const [text, setText] = useState('');
  const given = (data?.settings ?? []).toSorted(
    (a, b) => Number(a.source === 'default') - Number(b.source === 'default'),
  );
  const shown = given.filter(({ name, value }) =>
    `${name} ${value}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <Card
      flush
      className="lg:col-span-2"
      title={t('settings.title')}
      aside={
        <span className="flex flex-wrap items-center gap-2">
          {isAdmin ? <ReloadSettings /> : null}
          <input
            type="search"
            className="input w-52"
            aria-label={t('settings.filter')}
            placeholder={t('settings.filter')}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </span>
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading rows={8} /> : null}
      {data === undefined ? null : (
        <p className="border-b px-4 py-2 text-sm text-ink-2">
          {data.file === null ? t('settings.noFile') : t('settings.file', { file: data.file })}
        </p>
      )}
      {data !== undefined && shown.length === 0 ? <Empty title={t('settings.none')} /> : null}
      <dl className="divide-y">
        {shown.map(({ name, value, source }) => (
          <div
            key={name}
            className="grid grid-cols-[fit-content(70%)_minmax(0,1fr)] items-baseline gap-x-4 px-4 py-1.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,14rem)]"
          >
            <dt className="mono break-words text-sm" title={name}>
              {name}
            </dt>
            <dd className="order-last col-span-2 min-w-0 break-words text-ink-2 sm:order-none sm:col-span-1">
              {value}
            </dd>
            <dd className="flex min-w-0 justify-end" title={source}>
              <Pill tone={source === 'default' ? 'idle' : 'accent'}>{source}</Pill>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
