// A state by colour and by shape. No two states of a kind have the same shape, so that they can be distinguished in
// print and without seeing colours.
import type { ReactNode } from 'react';
import type { RequestStatus, TaskState } from '../api/request-types.ts';
import type { CheckLine, TargetState } from '../api/target-types.ts';
import { tName } from '../words/t.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'idle';
type Shape =
  | 'ring'
  | 'dotted'
  | 'half'
  | 'check'
  | 'slash'
  | 'diamond'
  | 'triangle'
  | 'dot'
  | 'bars'
  | 'octagon'
  | 'hand'
  | 'cross'
  | 'turning';

interface Look {
  readonly tone: Tone;
  readonly shape: Shape;
}

const REQUESTS: Readonly<Record<RequestStatus, Look>> = {
  pending: { tone: 'idle', shape: 'ring' },
  in_progress: { tone: 'accent', shape: 'half' },
  completed: { tone: 'good', shape: 'check' },
  cancelled: { tone: 'idle', shape: 'slash' },
};
const TASKS: Readonly<Record<TaskState, Look>> = {
  waiting: { tone: 'idle', shape: 'dotted' },
  running: { tone: 'accent', shape: 'turning' },
  erased: { tone: 'good', shape: 'check' },
  failed: { tone: 'bad', shape: 'triangle' },
  held: { tone: 'warn', shape: 'diamond' },
};
const TARGETS: Readonly<Record<TargetState, Look>> = {
  up: { tone: 'good', shape: 'dot' },
  down: { tone: 'bad', shape: 'triangle' },
  refused: { tone: 'bad', shape: 'octagon' },
  paused: { tone: 'warn', shape: 'bars' },
  manual: { tone: 'idle', shape: 'hand' },
  removed: { tone: 'idle', shape: 'cross' },
};
const LEVELS: Readonly<Record<CheckLine['level'], Look>> = {
  ok: { tone: 'good', shape: 'check' },
  note: { tone: 'idle', shape: 'ring' },
  warning: { tone: 'warn', shape: 'diamond' },
  problem: { tone: 'bad', shape: 'triangle' },
};

export const TEXT_TONE: Readonly<Record<Tone, string>> = {
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  accent: 'text-accent',
  idle: 'text-idle',
};
export const SOFT_TONE: Readonly<Record<Tone, string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent-strong',
  idle: 'bg-idle-soft text-idle',
};

const LINE = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.8 } as const;
const MARKS: Readonly<Record<Shape, ReactNode>> = {
  ring: <circle cx="7" cy="7" r="4.6" {...LINE} />,
  dotted: <circle cx="7" cy="7" r="4.6" {...LINE} strokeDasharray="1.8 1.8" />,
  half: (
    <>
      <circle cx="7" cy="7" r="4.9" {...LINE} />
      <path d="M7 4a3 3 0 0 1 0 6z" fill="currentColor" />
    </>
  ),
  check: (
    <>
      <circle cx="7" cy="7" r="6" fill="currentColor" />
      <path d="M4.3 7.2l1.9 1.9 3.5-3.8" fill="none" stroke="var(--surface)" strokeWidth="1.7" />
    </>
  ),
  slash: (
    <>
      <circle cx="7" cy="7" r="4.9" {...LINE} />
      <path d="M3.7 10.3l6.6-6.6" {...LINE} />
    </>
  ),
  diamond: <path d="M7 .9L13.1 7 7 13.1.9 7z" fill="currentColor" />,
  triangle: (
    <>
      <path d="M7 1.2l6 11H1z" fill="currentColor" strokeLinejoin="round" />
      <path
        d="M7 5.2v3.3M7 10.3v.1"
        stroke="var(--surface)"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </>
  ),
  dot: <circle cx="7" cy="7" r="4.4" fill="currentColor" />,
  bars: <path d="M3 2h2.8v10H3zM8.2 2H11v10H8.2z" fill="currentColor" />,
  octagon: (
    <>
      <path d="M4.5 1h5L13 4.5v5L9.5 13h-5L1 9.5v-5z" fill="currentColor" />
      <path d="M4.2 7h5.6" stroke="var(--surface)" strokeWidth="1.8" />
    </>
  ),
  hand: (
    <>
      <circle cx="7" cy="4" r="2.6" fill="currentColor" />
      <path d="M1.8 13c.3-3 2.3-4.6 5.2-4.6s4.9 1.6 5.2 4.6z" fill="currentColor" />
    </>
  ),
  cross: <path d="M3 3l8 8M11 3l-8 8" {...LINE} />,
  turning: <path d="M7 2.2A4.8 4.8 0 1 1 2.2 7" {...LINE} strokeLinecap="round" />,
};

export function Mark({ tone, shape }: Look) {
  const turns = shape === 'turning' ? 'motion-safe:animate-[turn_1.4s_linear_infinite]' : '';
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 14 14"
      className={`size-3.5 shrink-0 ${TEXT_TONE[tone]} ${turns}`}
    >
      {MARKS[shape]}
    </svg>
  );
}

function Status({ look, label, pill = false }: { look: Look; label: string; pill?: boolean }) {
  const around = pill ? `rounded-full px-2 py-0.5 ${SOFT_TONE[look.tone]}` : 'text-ink';
  return (
    <span
      className={`inline-flex items-center gap-1.5 text-sm font-medium whitespace-nowrap ${around}`}
    >
      <Mark {...look} />
      {label}
    </span>
  );
}

export function RequestStatusMark({ status, pill }: { status: RequestStatus; pill?: boolean }) {
  return <Status look={REQUESTS[status]} label={tName('status', status)} pill={pill ?? false} />;
}

export function TaskStateMark({ state, pill }: { state: TaskState; pill?: boolean }) {
  return <Status look={TASKS[state]} label={tName('task', state)} pill={pill ?? false} />;
}

export function TargetStateMark({ state, pill }: { state: TargetState; pill?: boolean }) {
  return <Status look={TARGETS[state]} label={tName('target', state)} pill={pill ?? false} />;
}

export function LevelMark({ level }: { level: CheckLine['level'] }) {
  return <Status look={LEVELS[level]} label={tName('level', level)} />;
}

export function Pill({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex max-w-full min-w-0 items-center rounded-full px-2 py-0.5 text-xs font-medium ${SOFT_TONE[tone]}`}
    >
      <span className="truncate">{children}</span>
    </span>
  );
}
