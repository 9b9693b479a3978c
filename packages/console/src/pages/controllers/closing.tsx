// The end of a controller's contract: what is open, closing it, and the signed statement afterwards.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiAddress } from '../../api/http.ts';
import type { ControllerPage } from '../../api/other-types.ts';
import { closingQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { SelectField, TextArea, TextField } from '../../components/field.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber, t } from '../../words/t.ts';

export function ClosingCard({ controller }: { controller: ControllerPage }) {
  const { controller_id: id, closed_time: closed } = controller;
  const { data } = useQuery(closingQuery(id));
  const [asking, setAsking] = useState(false);
  const isAdmin = useMay('admin');
  if (closed === null && !isAdmin) return null;
  const open = (data?.pending ?? 0) + (data?.in_progress ?? 0);
  return (
    <Card title={t('closing.title')}>
      {closed === null ? null : (
        <p className="font-medium">
          {t('closing.closed')} <Time iso={closed} />
        </p>
      )}
      {data === undefined ? null : (
        <p className="text-ink-2">
          {t('closing.open', {
            pending: formatNumber(data.pending),
            started: formatNumber(data.in_progress),
            holds: formatNumber(data.legal_holds),
          })}
        </p>
      )}
      {closed !== null && open === 0 && data !== undefined ? (
        <a
          className="link mt-2 inline-block text-sm"
          href={apiAddress(`/controllers/${encodeURIComponent(id)}/statement`, {})}
          download
        >
          {t('closing.statement')}
        </a>
      ) : null}
      {isAdmin && (closed === null || (data?.pending ?? 0) > 0) ? (
        <Button className="mt-3" onClick={() => setAsking(true)}>
          {t(closed === null ? 'closing.button' : 'closing.pending.cancel')}
        </Button>
      ) : null}
      {asking ? (
        <CloseDialog id={id} isClosed={closed !== null} onClose={() => setAsking(false)} />
      ) : null}
    </Card>
  );
}

interface CloseDialogProps {
  readonly id: string;
  readonly isClosed: boolean;
  readonly onClose: () => void;
}

function CloseDialog({ id, isClosed, onClose }: CloseDialogProps) {
  const [values, setValues] = useState({
    reason: '',
    pending: isClosed ? 'cancel' : 'wait',
    confirm: '',
  });
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setValues((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <AskDialog
      title={t('closing.question', { id })}
      description={t('closing.meaning')}
      button={t('closing.button')}
      danger
      disabled={values.confirm !== id}
      action={() => ({
        path: `/controllers/${encodeURIComponent(id)}/close`,
        options: { body: values },
        done: t('closing.done'),
      })}
      onClose={onClose}
    >
      <SelectField
        label={t('closing.pending')}
        options={(['wait', 'cancel'] as const).map(
          (it) => [it, t(`closing.pending.${it}`)] as const,
        )}
        {...field('pending')}
      />
      <TextArea label={t('why')} hint={t('why.hint')} required {...field('reason')} />
      <TextField
        label={t('closing.confirm', { id })}
        required
        spellCheck={false}
        {...field('confirm')}
      />
    </AskDialog>
  );
}
