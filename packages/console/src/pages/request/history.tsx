import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { requestAuditQuery } from '../../api/queries.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { Card } from '../../components/card.tsx';
import { Failure, Loading } from '../../components/failure.tsx';
import { t } from '../../words/t.ts';
import { AuditLine } from '../audit/audit-line.tsx';

export function History({ request }: { request: RequestPage }) {
  const { data, error, refetch } = useQuery(requestAuditQuery(request));
  return (
    <Card
      flush
      title={t('history.title')}
      aside={
        <Link
          to="/audit"
          search={{ controller: request.controller_id, request: request.subject_request_id }}
          className="link no-print"
        >
          {t('history.open')}
        </Link>
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading rows={4} /> : null}
      {data?.items.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">{t('history.none')}</p>
      ) : null}
      <ol className="divide-y">
        {(data?.items ?? []).map((row) => (
          <AuditLine key={row.audit_no} row={row} />
        ))}
      </ol>
    </Card>
  );
}
