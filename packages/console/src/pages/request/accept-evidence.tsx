import { useState } from 'react';
import { requestPath } from '../../api/http.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { TextArea } from '../../components/field.tsx';
import { t } from '../../words/t.ts';

/** If evidence contradicts the audit log, an admin can vouch for it; the receipt says so. */
export function AcceptEvidence({
  request,
  onClose,
}: {
  request: RequestPage;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const path = `${requestPath(request.controller_id, request.subject_request_id)}/accept-evidence`;
  return (
    <AskDialog
      title={t('accept.question')}
      description={t('accept.meaning')}
      button={t('accept.button')}
      action={() => ({
        path,
        options: { body: { reason }, etag: request.etag },
        done: t('accept.done'),
      })}
      onClose={onClose}
    >
      <TextArea
        label={t('retain.reason')}
        hint={t('accept.reason.hint')}
        required
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </AskDialog>
  );
}
