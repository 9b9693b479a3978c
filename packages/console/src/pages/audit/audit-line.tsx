// One row of the audit log in words, with what it recorded.
import type { AuditRow } from '../../api/other-types.ts';
import { Time } from '../../components/time.tsx';
import { tName } from '../../words/t.ts';

export function AuditLine({ row }: { row: AuditRow }) {
  const facts = detailFacts(row.detail);
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2">
      <Time iso={row.time} className="w-28 shrink-0 text-sm text-ink-3 print:w-44" />
      <span className="font-medium">{tName('action', row.action)}</span>
      <span className="mono text-sm text-ink-2">{row.actor}</span>
      {facts.length === 0 ? null : (
        <span className="min-w-0 basis-full text-sm break-words text-ink-2 sm:pl-31 print:pl-47">
          {facts.map(([name, value], index) => (
            <span key={name}>
              {index > 0 ? ' · ' : ''}
              <span className="text-ink-3">{name.replaceAll('_', ' ')}</span> {value}
            </span>
          ))}
        </span>
      )}
    </li>
  );
}

const DIGEST = /^[\da-f]{24,}$/i;

/** The recorded detail, as far as it is text, numbers or lists of these. Digests are shortened. */
export function detailFacts(detail: unknown): (readonly [string, string])[] {
  if (typeof detail !== 'object' || detail === null) return [];
  return Object.entries(detail).flatMap(([name, value]) => {
    const words = wordsOf(value);
    return words === '' ? [] : [[name, words] as const];
  });
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join(', ');
  if (typeof value === 'string') return DIGEST.test(value) ? `${value.slice(0, 12)}…` : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
