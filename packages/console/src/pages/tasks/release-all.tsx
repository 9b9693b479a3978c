// Releases many held tasks at once: those of one target that were held for one reason.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { overviewQuery, releaseSizeQuery } from '../../api/queries.ts';
import type { ReleaseSize } from '../../api/request-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Loading } from '../../components/failure.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { say } from '../../components/toast.tsx';
import { formatNumber, t, tName, tn } from '../../words/t.ts';

/** From here on, the number of rows has to be typed. */
const MANY_ROWS = 1000;

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
  const { data: all } = useQuery(releaseSizeQuery(chosen.target, chosen.reason));
  const controllers = all?.groups.map(({ controller_id: it }) => it) ?? [];
  const [wanted, setWanted] = useState('');
  // With another target or reason it may have none.
  const controller = controllers.includes(wanted) ? wanted : undefined;
  const { data: size } = useQuery(releaseSizeQuery(chosen.target, chosen.reason, controller));
  const [typed, setTyped] = useState('');
  const mustType = (size?.rows ?? 0) >= MANY_ROWS;
  const isTyped = !mustType || typed.replaceAll(/[\s,.]/g, '') === String(size?.rows);
  return (
    <AskDialog<{ released: readonly number[] }>
      title={t('releaseAll.title')}
      description={t('releaseAll.meaning')}
      button={size === undefined || size.tasks === 0 ? t('releaseAll.button') : buttonOf(size)}
      disabled={size === undefined || size.tasks === 0 || !isTyped}
      action={() => ({
        path: `/targets/${encodeURIComponent(chosen.target)}/release-all`,
        options: {
          body: {
            reason: chosen.reason,
            ...(controller !== undefined && { controller }),
            expected: { tasks: size?.tasks ?? 0, rows: size?.rows ?? 0 },
          },
        },
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
          {controllers.length > 1 ? (
            <SelectField
              label={t('controller')}
              value={controller ?? ''}
              onChange={(event) => setWanted(event.target.value)}
              options={[
                ['', t('filter.anyController')],
                ...controllers.map((it) => [it, it] as const),
              ]}
            />
          ) : null}
          {size === undefined ? <Loading rows={1} /> : <Groups size={size} />}
          {mustType ? (
            <TextField
              label={t('releaseAll.type', { rows: formatNumber(size?.rows ?? 0) })}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              inputMode="numeric"
              autoComplete="off"
            />
          ) : null}
        </>
      ) : null}
    </AskDialog>
  );
}

/** Where rows are not counted, the number would say less than what is erased. */
function buttonOf({ tasks, people, rows, uncounted }: ReleaseSize): string {
  if (uncounted > 0) return tn('releaseAll.tasks', tasks);
  return t('releaseAll.erase', {
    rows: tn('releaseAll.rows', rows),
    people: tn('releaseAll.people', people),
  });
}

function Groups({ size }: { size: ReleaseSize }) {
  return (
    <ul className="mt-3 text-sm text-ink-2">
      {size.groups.map(({ controller_id: controller, tasks, rows, uncounted }) => (
        <li key={controller}>
          {controller}: {tn('releaseAll.count', tasks)}, {tn('releaseAll.rows', rows)}
          {uncounted > 0 ? `, ${tn('releaseAll.uncounted', uncounted)}` : ''}
        </li>
      ))}
    </ul>
  );
}
