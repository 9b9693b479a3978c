import { useState } from 'react';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { TextArea } from '../../components/field.tsx';
import { t } from '../../words/t.ts';

/** If someone else wrote to the log, erasing goes on after an admin has accepted that. */
export function AcceptDamage({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <AskDialog
      title={t('damage.question')}
      description={t('damage.meaning')}
      button={t('accept.button')}
      danger
      action={() => ({
        path: '/audit/accept',
        options: { body: { reason } },
        done: t('damage.done'),
      })}
      onClose={onClose}
      onDone={onDone}
    >
      <TextArea
        label={t('retain.reason')}
        hint={t('damage.reason.hint')}
        required
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </AskDialog>
  );
}
