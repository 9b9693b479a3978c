// The customer organisations whose requests are accepted.
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ControllerLine } from '../../api/other-types.ts';
import { controllersQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useList } from '../../components/use-list.ts';
import { formatNumber, t } from '../../words/t.ts';
import { NewController } from './new-controller.tsx';

const COLUMNS: readonly Column<ControllerLine>[] = [
  {
    id: 'controller',
    header: t('controller'),
    width: 'minmax(8rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: (line) => (
      <Link
        to="/controllers/$controllerId"
        params={{ controllerId: line.controller_id }}
        className="font-medium hover:underline"
      >
        {line.controller_id}
      </Link>
    ),
  },
  {
    id: 'name',
    header: t('name'),
    width: 'minmax(8rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: (line) => <span className="text-ink-2">{line.name ?? t('none')}</span>,
  },
  {
    id: 'sso',
    header: t('controllers.sso'),
    width: 'minmax(8rem, 1fr)',
    wideOnly: true,
    cell: (line) => <span className="text-ink-2">{line.sso_organisation ?? t('none')}</span>,
  },
  {
    id: 'clients',
    header: t('controllers.clients'),
    width: '6rem',
    narrow: '4rem',
    alignEnd: true,
    cell: (line) => <span className="numbers text-ink-2">{formatNumber(line.clients)}</span>,
  },
  {
    id: 'created',
    header: t('created'),
    width: '8rem',
    wideOnly: true,
    alignEnd: true,
    cell: (line) => <Time iso={line.created_time} className="text-ink-2" />,
  },
];

export function ControllersPage() {
  const list = useList(controllersQuery);
  const navigate = useNavigate();
  const mayCreate = useMay('admin');
  const [creating, setCreating] = useState(false);
  function open(controllerId: string) {
    void navigate({ to: '/controllers/$controllerId', params: { controllerId } });
  }
  return (
    <Page
      title={t('nav.controllers')}
      lead={t('controllers.lead')}
      actions={
        mayCreate ? (
          <Button icon="plus" look="primary" onClick={() => setCreating(true)}>
            {t('controllers.new')}
          </Button>
        ) : null
      }
    >
      {list.error === null ? null : <Failure error={list.error} onRetry={list.refetch} />}
      {list.rows === undefined && list.error === null ? <Loading rows={6} /> : null}
      {list.rows?.length === 0 ? (
        <div className="card">
          <Empty title={t('controllers.none')}>{t('controllers.none.more')}</Empty>
        </div>
      ) : null}
      {list.rows !== undefined && list.rows.length > 0 ? (
        <DataTable
          label={t('nav.controllers')}
          rows={list.rows}
          columns={COLUMNS}
          keyOf={(line) => line.controller_id}
          onOpen={(line) => open(line.controller_id)}
          hasMore={list.hasMore}
          isReading={list.isReading}
          readMore={list.readMore}
        />
      ) : null}
      {creating ? (
        <NewController
          onClose={() => setCreating(false)}
          onCreated={({ controller_id: id }) => open(id)}
        />
      ) : null}
    </Page>
  );
}
