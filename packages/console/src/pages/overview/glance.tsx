// Four large figures that can be read at a glance.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Overview } from '../../api/overview-types.ts';
import { targetsQuery } from '../../api/queries.ts';
import { Mark, TEXT_TONE, type Tone } from '../../components/status.tsx';
import { daysUntil, spanUntil, useNow } from '../../components/time.tsx';
import { formatNumber, t, tn } from '../../words/t.ts';

interface TileProps {
  readonly label: string;
  readonly value: string;
  readonly tone: Tone;
  readonly mark?: ReactNode;
  readonly below: ReactNode;
}

function Tile({ label, value, tone, mark, below }: TileProps) {
  return (
    <div className="min-w-0 bg-surface px-4 py-3.5">
      <dt className="text-sm text-ink-2">{label}</dt>
      <dd className="mt-1">
        <span
          className={`numbers flex items-center gap-2 text-xl font-semibold sm:max-xl:text-2xl min-[1400px]:text-2xl tracking-[-0.02em] ${tone === 'idle' ? 'text-ink' : TEXT_TONE[tone]}`}
        >
          {mark}
          <span className="truncate">{value}</span>
        </span>
        <span className="mt-0.5 block text-sm text-ink-2">{below}</span>
      </dd>
    </div>
  );
}

export function Glance({ overview, className }: { overview: Overview; className: string }) {
  return (
    <dl
      className={`card grid grid-cols-1 gap-px overflow-hidden bg-line min-[460px]:grid-cols-2 xl:grid-cols-4 ${className}`}
    >
      <AttentionTile overview={overview} />
      <DeadlineTile overview={overview} />
      <TargetsTile overview={overview} />
      <OpenTile overview={overview} />
    </dl>
  );
}

function AttentionTile({ overview: { attention } }: { overview: Overview }) {
  const { total, capped, groups } = attention;
  const calm = total === 0;
  return (
    <Tile
      label={t('glance.attention')}
      value={calm ? t('glance.nothing') : `${formatNumber(total)}${capped ? '+' : ''}`}
      tone={calm ? 'good' : 'warn'}
      mark={<Mark tone={calm ? 'good' : 'warn'} shape={calm ? 'check' : 'diamond'} />}
      below={
        calm
          ? t('glance.nothing.more')
          : groups.map(({ title, count }) => `${formatNumber(count)} ${short(title)}`).join(' · ')
      }
    />
  );
}

/** The part before the colon: "Decide" for "Decide: release or retain". */
function short(title: string): string {
  return (title.split(':')[0] ?? title).toLowerCase();
}

function DeadlineTile({ overview: { deadlines } }: { overview: Overview }) {
  const at = useNow();
  const [first] = deadlines.nearest;
  if (first === undefined) {
    return (
      <Tile
        label={t('glance.deadline')}
        value={t('glance.noDeadline')}
        tone="idle"
        below={t('glance.noDeadline.more')}
      />
    );
  }
  const deadline =
    first.nearest === 'expected' ? first.expected_completion_time : first.statutory_deadline;
  const left = daysUntil(deadline, at);
  const tone: Tone = left < 0 ? 'bad' : left < 3 ? 'warn' : 'idle';
  const span = { span: spanUntil(deadline, at) };
  return (
    <Tile
      label={t('glance.deadline')}
      value={left < 0 ? t('deadline.late', span) : t('deadline.left', span)}
      tone={tone}
      mark={tone === 'idle' ? null : <Mark tone={tone} shape={left < 0 ? 'triangle' : 'diamond'} />}
      below={
        <Link
          to="/requests/$controllerId/$requestId"
          params={{ controllerId: first.controller_id, requestId: first.subject_request_id }}
          className="link"
        >
          {t(first.nearest === 'expected' ? 'glance.expectedOf' : 'glance.statutoryOf', {
            controller: first.controller_id,
            id: first.subject_request_id.slice(0, 8),
          })}
        </Link>
      }
    />
  );
}

function TargetsTile({ overview: { targets } }: { overview: Overview }) {
  const { data } = useQuery(targetsQuery);
  const stopped = targets.down + targets.refused;
  const names = (data?.items ?? [])
    .filter(({ state }) => state === 'down' || state === 'refused')
    .map(({ name }) => name);
  if (targets.total === 0) {
    return (
      <Tile
        label={t('glance.targets')}
        value={t('glance.noTargets')}
        tone="idle"
        below={t('glance.noTargets.more')}
      />
    );
  }
  return (
    <Tile
      label={t('glance.targets')}
      value={stopped === 0 ? t('glance.targetsUp') : tn('glance.targetsDown', stopped)}
      tone={stopped === 0 ? 'good' : 'bad'}
      mark={
        <Mark tone={stopped === 0 ? 'good' : 'bad'} shape={stopped === 0 ? 'dot' : 'triangle'} />
      }
      below={
        stopped === 0
          ? tn('glance.targetsAll', targets.total)
          : names.map((name, index) => (
              <span key={name}>
                {index > 0 ? ', ' : ''}
                <Link to="/targets/$name" params={{ name }} className="link">
                  {name}
                </Link>
              </span>
            ))
      }
    />
  );
}

function OpenTile({ overview: { requests } }: { overview: Overview }) {
  const open = requests.pending + requests.in_progress;
  return (
    <Tile
      label={t('glance.open')}
      value={formatNumber(open)}
      tone="idle"
      below={t('glance.open.more', {
        pending: formatNumber(requests.pending),
        running: formatNumber(requests.in_progress),
      })}
    />
  );
}
