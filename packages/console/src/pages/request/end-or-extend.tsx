// Two decisions about a request for which a reason is asked: cancelling it, and extending its statutory deadline.
import { useState } from 'react';
import { requestPath } from '../../api/http.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { TextArea, TextField } from '../../components/field.tsx';
import { t } from '../../words/t.ts';

interface Props {
  readonly request: RequestPage;
  readonly onClose: () => void;
}

export function CancelDialog({ request, onClose }: Props) {
  const [reason, setReason] = useState('');
  const path = `${requestPath(request.controller_id, request.subject_request_id)}/cancel`;
  return (
    <AskDialog
      title={t('cancelRequest.question')}
      description={t('cancelRequest.meaning')}
      button={t('cancelRequest.button')}
      danger
      action={() => ({
        path,
        options: { etag: request.etag, body: { reason } },
        done: t('cancelRequest.done'),
      })}
      onClose={onClose}
    >
      <Reason value={reason} onChange={setReason} />
    </AskDialog>
  );
}

export function ExtendDialog({ request, onClose }: Props) {
  const latest = request.latest_extension.slice(0, 10);
  const [until, setUntil] = useState(latest);
  const [reason, setReason] = useState('');
  const path = `${requestPath(request.controller_id, request.subject_request_id)}/extend`;
  return (
    <AskDialog
      title={t('extend.title')}
      description={t('extend.meaning')}
      button={t('extend.button')}
      action={() => ({
        path,
        options: { etag: request.etag, body: { until, reason } },
        done: t('extend.done'),
      })}
      onClose={onClose}
    >
      <TextField
        label={t('extend.until')}
        hint={t('extend.until.hint', { day: latest })}
        type="date"
        required
        min={request.statutory_deadline.slice(0, 10)}
        max={latest}
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
      <Reason value={reason} onChange={setReason} />
    </AskDialog>
  );
}

function Reason({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextArea
      label={t('why')}
      hint={t('why.hint')}
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
