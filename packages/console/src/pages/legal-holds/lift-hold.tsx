import { useState } from 'react';
import type { LegalHold } from '../../api/request-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { TextArea } from '../../components/field.tsx';
import { t } from '../../words/t.ts';

export function LiftHold({ hold }: { hold: LegalHold }) {
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('legalHold.lift')}
      </Button>
      {asking ? (
        <AskDialog
          title={t('legalHold.lift.title', { hold: hold.hold })}
          description={t('legalHold.lift.meaning')}
          button={t('legalHold.lift')}
          action={() => ({
            path: `/legal-holds/${hold.hold}/lift`,
            options: { body: { reason } },
            done: t('legalHold.lifted'),
          })}
          onClose={() => setAsking(false)}
        >
          <TextArea
            label={t('why')}
            hint={t('why.hint')}
            required
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </AskDialog>
      ) : null}
    </>
  );
}
