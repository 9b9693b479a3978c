// Everything that was done and by whom; a check that the log is unchanged; and an export.
import { Link, useSearch } from '@tanstack/react-router';
import { apiAddress } from '../../api/http.ts';
import type { AuditRow } from '../../api/other-types.ts';
import { auditQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { BUTTON, BUTTON_LOOKS, BUTTON_SIZES } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Icon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useList } from '../../components/use-list.ts';
import { formatNumber, t, tName } from '../../words/t.ts';
import { AuditFilters } from './audit-filters.tsx';
import { detailFacts } from './audit-line.tsx';
import { Verify } from './verify.tsx';
import { VerifyReceipt } from './verify-receipt.tsx';

const COLUMNS: readonly Column<AuditRow>[] = [
  {
    id: 'time',
    header: t('time'),
    width: '7rem',
    narrow: '6.4rem',
    cell: (row) => <Time iso={row.time} className="text-ink-2" />,
  },
  {
    id: 'action',
    header: t('audit.action'),
    width: 'minmax(10.5rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    wraps: true,
    cell: (row) => <span title={row.action}>{tName('action', row.action)}</span>,
  },
  {
    id: 'actor',
    header: t('audit.actor'),
    width: 'minmax(7rem, 1fr)',
    wideOnly: true,
    cell: (row) => <span className="mono text-ink-2">{row.actor}</span>,
  },
  {
    id: 'request',
    header: t('request'),
    width: 'minmax(9rem, 1fr)',
    narrow: '4.3rem',
    cell: (row) => <Concerned row={row} />,
  },
  {
    id: 'detail',
    header: t('audit.detail'),
    width: 'minmax(10rem, 2fr)',
    wideOnly: true,
    cell: (row) => <Detail row={row} />,
  },
  {
    id: 'number',
    header: t('audit.number'),
    width: '4.5rem',
    wideOnly: true,
    alignEnd: true,
    cell: (row) => (
      <span className="numbers text-ink-3">
        {row.audit_no === null ? t('none') : formatNumber(row.audit_no)}
      </span>
    ),
  },
];

function Concerned({ row }: { row: AuditRow }) {
  const { controller_id: controllerId, subject_request_id: requestId } = row;
  if (controllerId === null) return <span className="text-ink-3">{t('none')}</span>;
  if (requestId === null) return <span className="text-ink-2">{controllerId}</span>;
  return (
    <Link
      to="/requests/$controllerId/$requestId"
      params={{ controllerId, requestId }}
      className="hover:underline"
    >
      <span className="mono">{requestId.slice(0, 8)}</span>{' '}
      <span className="text-ink-2">{controllerId}</span>
    </Link>
  );
}

function Detail({ row }: { row: AuditRow }) {
  const text = detailFacts(row.detail)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`)
    .join(' · ');
  return (
    <span className="text-sm text-ink-2" title={text}>
      {text}
    </span>
  );
}

export function AuditPage() {
  const filters = useSearch({ from: '/audit' });
  const list = useList(auditQuery(filters));
  const mayExport = useMay('operator');
  return (
    <Page
      title={t('audit.title')}
      lead={t('audit.lead')}
      actions={
        mayExport ? (
          <a
            href={apiAddress('/audit/export')}
            download
            className={`${BUTTON} ${BUTTON_LOOKS.plain} ${BUTTON_SIZES.usual}`}
          >
            <Icon name="download" className="size-3.5" />
            {t('audit.export')}
          </a>
        ) : null
      }
    >
      <div className="grid gap-x-4 lg:grid-cols-2 lg:[&>:only-child]:col-span-2">
        <Verify />
        <VerifyReceipt />
      </div>
      <AuditFilters filters={filters} />
      {list.error === null ? null : <Failure error={list.error} onRetry={list.refetch} />}
      {list.rows === undefined && list.error === null ? (
        <div className="card">
          <Loading rows={10} />
        </div>
      ) : null}
      {list.rows?.length === 0 && !list.hasMore ? (
        <div className="card">
          <Empty title={t('audit.none')}>{t('audit.none.more')}</Empty>
        </div>
      ) : null}
      {list.rows !== undefined && (list.rows.length > 0 || list.hasMore) ? (
        <DataTable
          label={t('audit.title')}
          rows={list.rows}
          columns={COLUMNS}
          keyOf={(row) => `${row.audit_no} ${row.controller_id}`}
          hasMore={list.hasMore}
          isReading={list.isReading}
          readMore={list.readMore}
        />
      ) : null}
    </Page>
  );
}
