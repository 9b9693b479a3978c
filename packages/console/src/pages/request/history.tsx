import { requestAuditQuery } from '../../api/queries.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Failure, Loading } from '../../components/failure.tsx';
import { useList } from '../../components/use-list.ts';
import { t } from '../../words/t.ts';
import { AuditLine } from '../audit/audit-line.tsx';

export function History({ request }: { request: RequestPage }) {
  const list = useList(requestAuditQuery(request));
  return (
    <Card flush title={t('history.title')} aside={t('history.aside')}>
      {list.error === null ? null : <Failure error={list.error} onRetry={list.refetch} />}
      {list.rows === undefined && list.error === null ? <Loading rows={4} /> : null}
      <ol className="divide-y">
        {(list.rows ?? []).map((row) => (
          <AuditLine key={row.audit_no} row={row} />
        ))}
      </ol>
      {list.hasMore ? (
        <div className="border-t p-3">
          <Button size="small" busy={list.isReading} onClick={list.readMore}>
            {t('more')}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}
