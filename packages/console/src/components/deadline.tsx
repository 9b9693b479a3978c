// How much time is left, as words and as a bar that runs out.
import { t } from '../words/t.ts';
import { TEXT_TONE, type Tone } from './status.tsx';
import { daysUntil, exactTime, spanUntil, useNow } from './time.tsx';

const NEAR_DAYS = 3;

function toneOf(daysLeft: number): Tone {
  if (daysLeft < 0) return 'bad';
  return daysLeft < NEAR_DAYS ? 'warn' : 'idle';
}

export function TimeLeft({ deadline }: { deadline: string }) {
  const at = useNow();
  const left = daysUntil(deadline, at);
  const words = { span: spanUntil(deadline, at) };
  const tone = toneOf(left);
  return (
    <time
      dateTime={deadline}
      title={exactTime(deadline)}
      className={`numbers whitespace-nowrap ${tone === 'idle' ? 'text-ink-2' : `font-medium ${TEXT_TONE[tone]}`}`}
    >
      {left < 0 ? t('deadline.late', words) : t('deadline.left', words)}
    </time>
  );
}

interface ClockProps {
  readonly label: string;
  readonly from: string;
  readonly deadline: string;
  /** When the request ended: the bar stops there. Null while it is open. */
  readonly ended: string | null;
}

const BAR: Readonly<Record<Tone, string>> = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  accent: 'bg-accent',
  idle: 'bg-accent',
};

export function DeadlineClock({ label, from, deadline, ended }: ClockProps) {
  const now = useNow();
  const at = ended === null ? now : Date.parse(ended);
  const left = daysUntil(deadline, at);
  const whole = Date.parse(deadline) - Date.parse(from);
  const passed = Math.min(1, Math.max(0.015, (at - Date.parse(from)) / whole));
  const tone: Tone = ended !== null && left >= 0 ? 'good' : toneOf(left);
  const words = { span: spanUntil(deadline, at) };
  return (
    <div className="min-w-0">
      <div className="flex items-baseline justify-between gap-3">
        <span className="text-sm text-ink-2">{label}</span>
        <span className={`numbers text-sm font-medium ${TEXT_TONE[tone]}`}>
          {clockWords(ended !== null, left, words)}
        </span>
      </div>
      <div className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset">
        <div
          className={`bar h-full rounded-full ${BAR[tone]}`}
          style={{ width: `${(passed * 100).toFixed(1)}%` }}
        />
      </div>
      <time dateTime={deadline} className="numbers mt-1 block text-xs text-ink-3">
        {exactTime(deadline)}
      </time>
    </div>
  );
}

function clockWords(ended: boolean, left: number, words: { span: string }): string {
  if (ended) return left >= 0 ? t('deadline.inTime', words) : t('deadline.wasLate', words);
  return left < 0 ? t('deadline.late', words) : t('deadline.left', words);
}
