// All alarms that Unwrite raised, what each kind means, and a test of the webhook.
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { alarmsQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { useList } from '../../components/use-list.ts';
import { namesOf, t, tName } from '../../words/t.ts';
import { AlarmLine } from './alarm-line.tsx';

const KINDS = namesOf('alarm.do');

export function AlarmsPage() {
  const filters = useSearch({ from: '/alarms' });
  const navigate = useNavigate();
  const list = useList(alarmsQuery(filters));
  const mayTest = useMay('admin');
  const test = useAction();
  return (
    <Page
      title={t('alarms.title')}
      lead={t('alarms.lead')}
      back={{ to: '/', label: t('nav.overview') }}
      actions={
        mayTest ? (
          <Button
            busy={test.isPending}
            onClick={() => test.mutate({ path: '/alarms/test', done: t('alarms.tested') })}
          >
            {t('alarms.test')}
          </Button>
        ) : null
      }
    >
      <div className="no-print mb-3 flex flex-wrap items-center gap-2">
        <FilterSelect
          label={t('alarms.kind')}
          value={filters.kind ?? ''}
          onChange={({ target }) =>
            void navigate({
              to: '/alarms',
              search: { ...filters, kind: target.value === '' ? undefined : target.value },
              replace: true,
            })
          }
          options={[
            ['', t('alarms.anyKind')],
            ...KINDS.map((it) => [it, tName('alarm', it)] as const),
          ]}
        />
        {filters.target === undefined ? null : (
          <Link to="/alarms" search={{ ...filters, target: undefined }} className="link text-sm">
            {t('at', { target: filters.target })} ×
          </Link>
        )}
      </div>
      {list.error === null ? null : <Failure error={list.error} onRetry={list.refetch} />}
      <section className="card">
        {list.rows === undefined && list.error === null ? <Loading rows={6} /> : null}
        {list.rows?.length === 0 ? (
          <Empty title={t('alarms.none')}>{t('alarms.none.more')}</Empty>
        ) : null}
        <ul className="divide-y">
          {(list.rows ?? []).map((alarm) => (
            <AlarmLine key={alarm.alarm} alarm={alarm} explained />
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
