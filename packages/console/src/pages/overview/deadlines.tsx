// The next days and how many requests should be completed on each, followed by the nearest deadlines.
import { Link } from '@tanstack/react-router';
import type { DeadlineDay, NearDeadline, Overview } from '../../api/overview-types.ts';
import { Card } from '../../components/card.tsx';
import { TimeLeft } from '../../components/deadline.tsx';
import { Empty } from '../../components/failure.tsx';
import { RequestStatusMark } from '../../components/status.tsx';
import { formatNumber, t, tn } from '../../words/t.ts';

const DAYS = 30;
const NEAR_DAYS = 3;
const SHOWN = 6;

export function Deadlines({ deadlines }: { deadlines: Overview['deadlines'] }) {
  const nearest = deadlines.nearest.slice(0, SHOWN);
  return (
    <Card flush title={t('deadlines.title')} aside={t('deadlines.aside')}>
      {nearest.length === 0 ? (
        <Empty title={t('deadlines.none')}>{t('deadlines.none.more')}</Empty>
      ) : (
        <>
          <Strip days={deadlines.days} />
          <Nearest items={nearest} />
        </>
      )}
    </Card>
  );
}

function Strip({ days }: { days: readonly DeadlineDay[] }) {
  const counts = new Map(days.map((day) => [day.days_left, day]));
  const max = Math.max(1, ...days.map(({ count, by_law: byLaw }) => count + byLaw));
  const columns = Array.from({ length: DAYS + 1 }, (_, index) => index - 1);
  return (
    <div className="px-4 pt-4 pb-3">
      <ol aria-label={t('deadlines.strip')} className="flex h-24 items-end gap-[3px]">
        {columns.map((day) => {
          const found = counts.get(day);
          const count = found?.count ?? 0;
          const byLaw = found?.by_law ?? 0;
          const words = [
            `${dayWords(day)}: ${tn('deadlines.requests', count)}${found?.capped ? '+' : ''}`,
            ...(byLaw > 0
              ? [tn('deadlines.byLaw', byLaw) + (found?.by_law_capped ? '+' : '')]
              : []),
          ].join(', ');
          return (
            <li
              key={day}
              title={words}
              className="group flex h-full min-w-0 flex-1 flex-col justify-end"
            >
              <span className="sr-only">{words}</span>
              <BarNumber value={byLaw} capped={found?.by_law_capped ?? false} />
              {byLaw > 0 ? (
                <span
                  className={`bar bar-hollow block min-h-1.5 rounded-t-[3px] border-2 ${lawColour(day)}`}
                  style={{ height: `${(byLaw / max) * 66}%` }}
                />
              ) : null}
              <BarNumber value={count} capped={found?.capped ?? false} />
              <span
                className={`bar block ${byLaw > 0 ? '' : 'rounded-t-[3px]'} ${barColour(day, count)}`}
                style={{ height: count === 0 ? 3 : `${8 + (count / max) * 58}%` }}
              />
            </li>
          );
        })}
      </ol>
      <div aria-hidden="true" className="mt-1.5 flex justify-between text-2xs text-ink-3">
        <span className="text-bad">{t('deadlines.overdue')}</span>
        <span>{t('deadlines.week')}</span>
        <span>{t('deadlines.twoWeeks')}</span>
        <span>{t('deadlines.threeWeeks')}</span>
        <span>{t('deadlines.month')}</span>
      </div>
      <p aria-hidden="true" className="mt-2 flex gap-4 text-xs text-ink-2">
        <span className="inline-flex items-center gap-1.5">
          <span className="bar size-2.5 rounded-[3px] bg-accent" />
          {t('deadline.expected')}
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span className="bar bar-hollow size-2.5 rounded-[3px] border-2 border-accent bg-accent-soft" />
          {t('deadline.statutory')}
        </span>
      </p>
    </div>
  );
}

/** Shown above each bar separately: a request has a deadline of each kind, so a sum would mean nothing. */
function BarNumber({ value, capped }: { value: number; capped: boolean }) {
  if (value === 0) return null;
  return (
    <span
      aria-hidden="true"
      className="numbers hidden truncate text-center text-2xs text-ink-2 sm:block"
    >
      {formatNumber(value)}
      {capped ? '+' : ''}
    </span>
  );
}

function dayWords(day: number): string {
  if (day < 0) return t('deadlines.overdue');
  return day === 0 ? t('deadlines.today') : tn('deadlines.inDays', day);
}

/** Hollow, so that it differs from the expected deadline without colour. */
function lawColour(day: number): string {
  if (day < 0) return 'border-bad bg-bad-soft';
  return day < NEAR_DAYS ? 'border-warn bg-warn-soft' : 'border-accent bg-accent-soft';
}

function barColour(day: number, count: number): string {
  if (count === 0) return 'bg-line';
  if (day < 0) return 'bg-bad';
  return day < NEAR_DAYS ? 'bg-warn' : 'bg-accent';
}

function Nearest({ items }: { items: readonly NearDeadline[] }) {
  return (
    <div className="overflow-x-auto border-t">
      <table className="w-full text-sm">
        <thead>
          <tr className="eyebrow text-left">
            <th className="px-4 py-2 font-semibold">{t('request')}</th>
            <th className="hidden py-2 pr-4 font-semibold sm:table-cell">{t('status')}</th>
            <th className="py-2 pr-4 font-semibold">{t('deadline.expected')}</th>
            <th className="py-2 pr-4 font-semibold">{t('deadline.statutory')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr
              key={`${item.controller_id} ${item.subject_request_id}`}
              className="border-t hover:bg-hover"
            >
              <td className="max-w-48 truncate px-4 py-2">
                <Link
                  to="/requests/$controllerId/$requestId"
                  params={{ controllerId: item.controller_id, requestId: item.subject_request_id }}
                  className="hover:underline"
                >
                  <span className="mono">{item.subject_request_id.slice(0, 8)}</span>{' '}
                  <span className="hidden text-ink-2 sm:inline">{item.controller_id}</span>
                </Link>
              </td>
              <td className="hidden py-2 pr-4 sm:table-cell">
                <RequestStatusMark status={item.request_status} />
              </td>
              <td className="py-2 pr-4">
                <TimeLeft deadline={item.expected_completion_time} />
              </td>
              <td className="py-2 pr-4">
                <TimeLeft deadline={item.statutory_deadline} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
