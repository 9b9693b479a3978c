// What happened at one target, in words, and what to decide there.
import { Link } from '@tanstack/react-router';
import type { TaskCard } from '../../api/request-types.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { TaskStateMark } from '../../components/status.tsx';
import { Time, useNow } from '../../components/time.tsx';
import { t, tName, tn } from '../../words/t.ts';
import { useDecide } from '../tasks/deciding.tsx';
import { RowCounts } from '../tasks/row-counts.tsx';
import { EvidenceDetails } from './evidence.tsx';

export function Task({ task }: { task: TaskCard }) {
  return (
    <section className="card" aria-label={t('task.label', { target: task.target })}>
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2">
        <h2 className="font-semibold">
          <Link to="/targets/$name" params={{ name: task.target }} className="hover:underline">
            {task.target}
          </Link>
        </h2>
        <span className="text-sm text-ink-3">
          {tName('connector', task.connector)}
          {task.run > 1 ? ` · ${t('task.run', { run: task.run })}` : ''}
        </span>
        <span className="ml-auto">
          <TaskStateMark state={task.state} pill />
        </span>
      </header>
      <div className="p-4">
        {task.evidence === null ? <Open task={task} /> : <Done task={task} />}
      </div>
    </section>
  );
}

function Words({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {words.map((line) => (
        <li key={line} className="flex gap-2.5">
          <span aria-hidden="true" className="mt-[0.6rem] size-1 shrink-0 rounded-full bg-ink-3" />
          <span className="min-w-0 break-words">{line}</span>
        </li>
      ))}
    </ul>
  );
}

function Done({ task }: { task: TaskCard }) {
  return (
    <>
      <Words words={task.words} />
      {task.evidence === null ? null : <EvidenceDetails evidence={task.evidence} />}
    </>
  );
}

const WHY_LOOKS: Readonly<Record<string, { readonly box: string; readonly title: string }>> = {
  held: { box: 'bg-warn-soft', title: 'text-warn' },
  failed: { box: 'bg-bad-soft', title: 'text-bad' },
  waiting: { box: 'bg-idle-soft', title: 'text-ink' },
};

/** Why the task does not continue, and what to do about it. */
function Why({ task }: { task: TaskCard }) {
  const look = WHY_LOOKS[task.state];
  if (look === undefined || (task.state === 'waiting' && task.reason === null)) return null;
  return (
    <div className={`mb-4 rounded-[7px] px-3 py-2.5 ${look.box}`}>
      <p className={`font-semibold ${look.title}`}>{tName('reason', task.reason ?? task.state)}</p>
      {task.detail === null ? null : <p className="mt-0.5 break-words">{task.detail}</p>}
      {task.what_to_do === null ? null : (
        <p className="mt-1 break-words text-ink-2">{task.what_to_do}</p>
      )}
    </div>
  );
}

function NextTry({ iso }: { iso: string }) {
  const isDue = Date.parse(iso) <= useNow();
  return (
    <>
      {' · '}
      {t(isDue ? 'task.nextTryDue' : 'task.nextTry')} {isDue ? null : <Time iso={iso} />}
    </>
  );
}

function Open({ task }: { task: TaskCard }) {
  return (
    <>
      <Why task={task} />
      {task.state === 'held' && task.instructions !== null && task.instructions !== task.detail ? (
        <p className="mb-4 whitespace-pre-wrap">{task.instructions}</p>
      ) : null}
      {task.state === 'held' ? <RowCounts card={task} /> : <Words words={task.words} />}
      <p className="numbers text-sm text-ink-3">
        {tn('task.attempts', task.attempts)}
        {task.next_try === null || task.state === 'held' ? null : <NextTry iso={task.next_try} />}
        {task.waits_for.length === 0
          ? null
          : ` · ${t('task.waitsFor')} ${task.waits_for.join(', ')}`}
        {' · '}
        {t('task.changed')} <Time iso={task.changed_time} />
      </p>
      <TaskActions task={task} />
    </>
  );
}

function TaskActions({ task }: { task: TaskCard }) {
  const decide = useDecide();
  const mayAct = useMay('operator');
  if (!mayAct || task.actions.length === 0) return null;
  return (
    <div className="no-print mt-4 flex flex-wrap gap-2">
      {task.actions.map((action) => (
        <Button
          key={action}
          look={action === 'retain' ? 'plain' : 'primary'}
          onClick={() => decide({ task: task.task, choose: action })}
        >
          {tName('decide.open', action)}
        </Button>
      ))}
    </div>
  );
}
