// Places a legal hold: on a request, or on a person of a controller.
import { useState } from 'react';
import { controllersQuery } from '../../api/queries.ts';
import type { PlacedHold, RequestName } from '../../api/request-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../components/field.tsx';
import { Time } from '../../components/time.tsx';
import { useList } from '../../components/use-list.ts';
import { namesOf, t, tName } from '../../words/t.ts';

interface PlaceHoldProps {
  /** Left out: a person is asked for. */
  readonly request?: RequestName;
  readonly onClose: () => void;
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

export function PlaceHold({ request, onClose }: PlaceHoldProps) {
  const [placed, setPlaced] = useState<PlacedHold>();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const person = usePerson();
  if (placed !== undefined) return <TooLate placed={placed} onClose={onClose} />;
  const on =
    request === undefined
      ? person.body
      : { controller: request.controller_id, subject_request_id: request.subject_request_id };
  return (
    <AskDialog<PlacedHold>
      title={t('legalHold.place')}
      description={t(request === undefined ? 'legalHold.place.person' : 'legalHold.place.request')}
      button={t('legalHold.place')}
      action={() => ({
        path: '/legal-holds',
        options: { body: { ...on, reason, ...(until !== '' && { until }) } },
        done: t('legalHold.placed'),
      })}
      onClose={onClose}
      staysOpen
      onDone={(answer) => (answer.too_late.length === 0 ? onClose() : setPlaced(answer))}
    >
      {request === undefined ? person.fields : null}
      <TextField
        label={t('legalHold.until')}
        hint={t('legalHold.until.hint')}
        type="date"
        min={tomorrow()}
        max="9999-12-31"
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
      <TextArea
        label={t('why')}
        hint={t('why.hint')}
        required
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </AskDialog>
  );
}

const TYPES = namesOf('identity');

/** The controller, and a field for each type of identity. */
function usePerson() {
  const { rows = [], hasMore } = useList(controllersQuery);
  const [given, setGiven] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const controller = given || (rows[0]?.controller_id ?? '');
  const named = TYPES.flatMap((type) => {
    const value = values[type]?.trim() ?? '';
    if (value === '') return [];
    return [{ identity_type: type, identity_value: value, identity_format: 'raw' }];
  });
  return {
    body: { controller, identities: named },
    fields: (
      <>
        {hasMore ? (
          <TextField
            label={t('controller')}
            required
            value={given}
            onChange={({ target }) => setGiven(target.value)}
          />
        ) : (
          <SelectField
            label={t('controller')}
            value={controller}
            onChange={({ target }) => setGiven(target.value)}
            options={rows.map((it) => [it.controller_id, it.name ?? it.controller_id] as const)}
          />
        )}
        {TYPES.map((type) => (
          <TextField
            key={type}
            label={tName('identity', type)}
            spellCheck={false}
            required={named.length === 0}
            value={values[type] ?? ''}
            onChange={({ target }) => setValues((before) => ({ ...before, [type]: target.value }))}
          />
        ))}
      </>
    ),
  };
}

function TooLate({ placed, onClose }: { placed: PlacedHold; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('legalHold.tooLate')}
      description={t('legalHold.tooLate.lead')}
    >
      <ul className="flex flex-col gap-1.5">
        {placed.too_late.map((it) => (
          <li key={`${it.subject_request_id} ${it.target}`} className="min-w-0 break-words">
            {it.target} · <span className="mono">{it.subject_request_id.slice(0, 8)}</span> ·{' '}
            <Time iso={it.erased_time} />
            {it.is_committing ? ` (${t('legalHold.tooLate.running')})` : ''}
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
