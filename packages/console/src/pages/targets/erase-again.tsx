// After a backup of a target was restored: counts what had been erased since, then erases it again.
import { useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { t, tn } from '../../words/t.ts';

/** With a maximum, browsers accept four digits for the year and then move on to the hour. */
const LAST_TIME = '9999-12-31T23:59';

interface Counted {
  readonly runs: number;
  readonly shredded: number;
  readonly open: number;
  readonly nobody: number;
}

export function EraseAgain({ target, onClose }: { target: string; onClose: () => void }) {
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const count = useAction<Counted>({ showsFailure: true });
  const given = { target, since: utc(since), ...(until !== '' && { until: utc(until) }) };
  const counted = count.data;
  function change(set: (value: string) => void, value: string) {
    set(value);
    count.reset();
  }
  return (
    <AskDialog
      title={t('again.title', { target })}
      description={t('again.meaning')}
      button={t('again.button')}
      icon="refresh"
      disabled={counted === undefined || counted.runs === 0}
      action={() => ({ path: '/erase-again', options: { body: given }, done: t('again.done') })}
      onClose={onClose}
    >
      <TextField
        type="datetime-local"
        max={LAST_TIME}
        label={t('again.since')}
        hint={t('again.since.hint')}
        required
        value={since}
        onChange={(event) => change(setSince, event.target.value)}
      />
      <TextField
        type="datetime-local"
        max={LAST_TIME}
        label={t('again.until')}
        hint={t('again.until.hint')}
        value={until}
        onChange={(event) => change(setUntil, event.target.value)}
      />
      <div className="mt-4">
        <Button
          busy={count.isPending}
          disabled={since === ''}
          onClick={() =>
            count.mutate({
              path: '/erase-again',
              options: { body: { ...given, dry_run: true } },
              done: '',
            })
          }
        >
          {t('again.count')}
        </Button>
      </div>
      <FailureLine error={count.error} />
      {counted === undefined ? null : (
        <div className="mt-3 rounded-[7px] bg-sunken px-3 py-2 text-sm" role="status">
          <p className="font-medium">{tn('again.runs', counted.runs)}</p>
          {counted.shredded > 0 ? <p>{tn('again.shredded', counted.shredded)}</p> : null}
          {counted.open > 0 ? <p>{tn('again.open', counted.open)}</p> : null}
          {counted.nobody > 0 ? <p>{tn('again.nobody', counted.nobody)}</p> : null}
        </div>
      )}
    </AskDialog>
  );
}

/** A time field holds the person's local time. */
function utc(local: string): string {
  const time = new Date(local);
  // The server explains what is wrong with an invalid time.
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}
