// Releases many held tasks at once: those of one target that were held for one reason.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { overviewQuery } from '../../api/queries.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Loading } from '../../components/failure.tsx';
import { SelectField } from '../../components/field.tsx';
import { say } from '../../components/toast.tsx';
import { t, tName, tn } from '../../words/t.ts';

interface ReleaseAllProps {
  /** Left out: the person chooses among the targets with held tasks. */
  readonly target?: string;
  readonly onClose: () => void;
}

export function ReleaseAll({ target: given, onClose }: ReleaseAllProps) {
  const { data } = useQuery(overviewQuery);
  const group = data?.attention.groups.find(({ what }) => what === 'release');
  const targets = given === undefined ? (group?.targets ?? []) : [given];
  const reasons = group?.reasons.map(({ reason }) => reason) ?? [];
  const [target, setTarget] = useState(given);
  const [reason, setReason] = useState('');
  const chosen = { target: target ?? targets[0] ?? '', reason: reason || reasons[0] };
  return (
    <AskDialog<{ released: readonly number[] }>
      title={t('releaseAll.title')}
      description={t('releaseAll.meaning')}
      button={t('releaseAll.button')}
      disabled={chosen.reason === undefined}
      action={() => ({
        path: `/targets/${encodeURIComponent(chosen.target)}/release-all`,
        options: { body: { reason: chosen.reason } },
        done: '',
      })}
      onDone={({ released }) => say(tn('releaseAll.done', released.length))}
      onClose={onClose}
    >
      {data === undefined ? <Loading rows={2} /> : null}
      {data !== undefined && reasons.length === 0 ? (
        <p className="text-ink-2">{t('releaseAll.none')}</p>
      ) : null}
      {reasons.length > 0 ? (
        <>
          <SelectField
            label={t('releaseAll.target')}
            value={chosen.target}
            onChange={(event) => setTarget(event.target.value)}
            options={targets.map((it) => [it, it] as const)}
          />
          <SelectField
            label={t('releaseAll.reason')}
            value={chosen.reason ?? ''}
            onChange={(event) => setReason(event.target.value)}
            options={reasons.map((it) => [it, tName('reason', it)] as const)}
          />
        </>
      ) : null}
    </AskDialog>
  );
}
