// How far events.webhook is, what failed last, and sending again.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventWebhook } from '../../api/other-types.ts';
import { eventWebhookQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { Card, Facts } from '../../components/card.tsx';
import { Failure, Loading } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { Mark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber, t, tn } from '../../words/t.ts';

export function EventWebhookCard() {
  const { data, error, refetch } = useQuery(eventWebhookQuery);
  const maySend = useMay('operator');
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={t('events.title')}
      aside={
        maySend && data?.is_set ? (
          <Button size="small" onClick={() => setOpen(true)}>
            {t('events.again')}
          </Button>
        ) : null
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data === undefined ? null : <State events={data} />}
      {isOpen ? <SendAgain onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function State({ events }: { events: EventWebhook }) {
  if (!events.is_set) return <p className="text-ink-2">{t('events.notSet')}</p>;
  const isFailing = events.failures > 0;
  return (
    <>
      <p className="mb-4 flex items-start gap-2">
        <span className="pt-1">
          <Mark tone={isFailing ? 'bad' : 'good'} shape={isFailing ? 'triangle' : 'check'} />
        </span>
        <span className="min-w-0 font-medium break-words">{wordsFor(events)}</span>
      </p>
      <Facts
        items={[
          [
            t('events.sentUpTo'),
            t('events.rowOf', {
              row: formatNumber(events.sent_audit_no),
              newest: formatNumber(events.newest_audit_no),
            }),
          ],
          [t('events.lastSent'), timeOrNever(events.sent_time)],
          [t('events.lastFailure'), timeOrNever(events.failed_time)],
          ...(events.next_time === null
            ? []
            : [[t('events.next'), <Time key="next" iso={events.next_time} />] as const]),
        ]}
      />
      {events.failure === null ? null : (
        <p className="mt-3 text-sm break-words text-ink-2">{events.failure}</p>
      )}
    </>
  );
}

function wordsFor({ failures, sent_audit_no: sent, newest_audit_no: newest }: EventWebhook) {
  if (failures > 0) return tn('events.failing', failures);
  return sent === newest ? t('events.allSent') : t('events.sending');
}

const timeOrNever = (iso: string | null) =>
  iso === null ? t('events.never') : <Time key={iso} iso={iso} />;

function SendAgain({ onClose }: { onClose: () => void }) {
  const [from, setFrom] = useState('');
  const given = from.trim();
  const isNumber = /^\d+$/.test(given);
  return (
    <AskDialog
      title={t('events.again.question')}
      description={t('events.again.meaning')}
      button={t('events.again')}
      disabled={given === ''}
      action={() => ({
        path: '/events/webhook/send-from',
        options: { body: isNumber ? { audit_no: Number(given) } : { time: given } },
        done: t('events.again.done'),
      })}
      onClose={onClose}
    >
      <TextField
        label={t('events.again.from')}
        hint={t('events.again.hint')}
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
    </AskDialog>
  );
}
