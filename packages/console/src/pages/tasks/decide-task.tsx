// A task that waits for a decision: what was found, why it stopped, and the choice. The counts are of the preview.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiGet } from '../../api/http.ts';
import type { TaskCard } from '../../api/request-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Failure, FailureLine, Loading } from '../../components/failure.tsx';
import { TextArea, TextField } from '../../components/field.tsx';
import { t, tName } from '../../words/t.ts';
import { RowCounts } from './row-counts.tsx';
import { TaskChanged } from './task-changed.tsx';

export type Choice = TaskCard['actions'][number];

interface DecideTaskProps {
  readonly task: number;
  readonly choose?: Choice;
  readonly onClose: () => void;
}

/** The facts that a decision depends on; further failed attempts do not change them. */
function shownOf({ actions, reason, detail, intent, instructions, what_to_do }: TaskCard): string {
  return JSON.stringify([actions, reason, detail, intent, instructions, what_to_do]);
}

export function DecideTask({ task, choose, onClose }: DecideTaskProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['tasks', task],
    queryFn: ({ signal }) => apiGet<TaskCard>(`/tasks/${task}`, {}, signal),
    gcTime: 0,
  });
  // The dialog shows the state from when it was opened until the person asks for the current one.
  const [seen, setSeen] = useState<TaskCard>();
  if (seen === undefined && data !== undefined) setSeen(data);
  const title =
    seen === undefined
      ? t('decide.title')
      : t('decide.titleOf', {
          reason: tName('reason', seen.reason ?? seen.state),
          target: seen.target,
        });
  return (
    <Dialog open onClose={onClose} title={title} description={seen?.detail ?? undefined} wide>
      {seen === undefined && error === null ? <Loading /> : null}
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {seen === undefined || data === undefined ? null : (
        <Decision
          card={seen}
          now={data}
          choose={choose}
          onShowNow={() => setSeen(data)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface DecisionProps {
  readonly card: TaskCard;
  readonly now: TaskCard;
  readonly choose: Choice | undefined;
  readonly onShowNow: () => void;
  readonly onClose: () => void;
}

const DONE: Readonly<Record<Choice, string>> = {
  release: t('decide.released'),
  retain: t('decide.retained'),
  confirm: t('decide.confirmed'),
};

function Decision({ card, now, choose, onShowNow, onClose }: DecisionProps) {
  const [chosen, setChoice] = useState(choose);
  const choice = chosen !== undefined && card.actions.includes(chosen) ? chosen : card.actions[0];
  const isSame = shownOf(card) === shownOf(now);
  const [legalBasis, setLegalBasis] = useState('');
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const act = useAction({ onDone: onClose, showsFailure: true });
  if (choice === undefined) return <p className="text-ink-2">{t('decide.nothing')}</p>;

  function showNow() {
    act.reset();
    onShowNow();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (choice === undefined) return;
    const body = {
      release: undefined,
      retain: { legal_basis: legalBasis, reason },
      confirm: { note },
    }[choice];
    const { etag } = isSame ? now : card;
    const options = body === undefined ? { etag } : { etag, body };
    act.mutate({ path: `/tasks/${card.task}/${choice}`, options, done: DONE[choice] });
  }
  return (
    <form onSubmit={submit}>
      {isSame ? null : <TaskChanged seen={card} onShowNow={showNow} />}
      <RowCounts card={card} />
      {card.instructions === null || card.instructions === card.detail ? null : (
        <p className="mb-4 rounded-[7px] border bg-sunken px-3 py-2 whitespace-pre-wrap">
          {card.instructions}
        </p>
      )}
      {card.what_to_do === null ? null : <p className="mb-4 text-ink-2">{card.what_to_do}</p>}
      <fieldset className="grid gap-2">
        <legend className="sr-only">{t('decide.choice')}</legend>
        {card.actions.map((action) => (
          <label
            key={action}
            className="flex cursor-pointer items-start gap-2.5 rounded-[7px] border px-3 py-2.5 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="choice"
              className="mt-1 accent-(--accent)"
              checked={choice === action}
              onChange={() => setChoice(action)}
            />
            <span>
              <span className="block font-medium">{tName('decide.choice', action)}</span>
              <span className="block text-sm text-ink-2">{tName('decide.meaning', action)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {choice === 'retain' ? (
        <div className="mt-4">
          <TextField
            label={t('retain.legalBasis')}
            hint={t('retain.legalBasis.hint')}
            required
            value={legalBasis}
            onChange={({ target }) => setLegalBasis(target.value)}
          />
          <TextArea
            label={t('retain.reason')}
            hint={t('retain.reason.hint')}
            required
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </div>
      ) : null}
      {choice === 'confirm' ? (
        <div className="mt-4">
          <TextArea
            label={t('confirm.note')}
            hint={t('confirm.note.hint')}
            required
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </div>
      ) : null}
      <FailureLine error={act.error} />
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={act.isPending}>
          {tName('decide.button', choice)}
        </Button>
      </DialogActions>
    </form>
  );
}
