// While the person was deciding, another operator was faster, or the task continued by itself: says who did what.
import { useQuery } from '@tanstack/react-query';
import { requestAuditQuery } from '../../api/queries.ts';
import type { TaskCard } from '../../api/request-types.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../words/t.ts';
import { AuditLine } from '../audit/audit-line.tsx';

export function TaskChanged({ seen, onShowNow }: { seen: TaskCard; onShowNow: () => void }) {
  const { data } = useQuery(requestAuditQuery(seen));
  const rows = (data?.items ?? []).filter(
    ({ time, detail }) => time > seen.changed_time && targetOf(detail) === seen.target,
  );
  return (
    <div role="status" className="mb-4 rounded-[7px] bg-warn-soft px-3 py-2.5">
      <p className="font-semibold text-warn">{t('decide.changed')}</p>
      <ol className="-mx-4">
        {rows.map((row) => (
          <AuditLine key={row.audit_no} row={row} />
        ))}
      </ol>
      <Button size="small" className="mt-1" onClick={onShowNow}>
        {t('decide.showNow')}
      </Button>
    </div>
  );
}

function targetOf(detail: unknown): unknown {
  return (detail as { target?: unknown } | null)?.target;
}
