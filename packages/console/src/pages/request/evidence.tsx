// The evidence of a task that is done.
import type { Evidence } from '../../api/request-types.ts';
import { ExactTime } from '../../components/time.tsx';
import { t } from '../../words/t.ts';

export function EvidenceDetails({ evidence }: { evidence: Evidence }) {
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    [t('evidence.finished'), <ExactTime key="finished" iso={evidence.finished_time} />],
    [t('evidence.attempts'), String(evidence.attempts)],
    ...(evidence.by === undefined ? [] : [[t('evidence.by'), evidence.by] as const]),
    ...(evidence.legal_basis === undefined
      ? []
      : [[t('retain.legalBasis'), evidence.legal_basis] as const]),
    ...(evidence.note === undefined ? [] : [[t('confirm.note'), evidence.note] as const]),
    ...(evidence.configuration === undefined
      ? []
      : [
          [
            t('evidence.configuration'),
            <span key="digest" className="mono">
              {evidence.configuration.slice(0, 12)}
            </span>,
          ] as const,
        ]),
  ];
  return (
    <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 border-t pt-3 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="whitespace-nowrap text-ink-3">{name}</dt>
          <dd className="min-w-0 break-words text-ink-2">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
