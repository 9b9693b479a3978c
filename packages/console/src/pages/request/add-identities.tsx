import { useState } from 'react';
import { requestPath } from '../../api/http.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { namesOf, t, tName } from '../../words/t.ts';

export function AddIdentities({ request, onClose }: { request: RequestPage; onClose: () => void }) {
  const [type, setType] = useState('email');
  const [value, setValue] = useState('');
  const path = `${requestPath(request.controller_id, request.subject_request_id)}/identities`;
  const identity = { identity_type: type, identity_value: value.trim(), identity_format: 'raw' };
  return (
    <AskDialog
      title={t('identities.add')}
      description={t('identities.meaning')}
      button={t('identities.addButton')}
      action={() => ({
        path,
        options: { etag: request.etag, body: { identities: [identity] } },
        done: t('identities.added'),
      })}
      onClose={onClose}
    >
      <SelectField
        label={t('identities.type')}
        value={type}
        onChange={({ target }) => setType(target.value)}
        options={namesOf('identity').map((it) => [it, tName('identity', it)] as const)}
      />
      <TextField
        label={t('identities.value')}
        required
        spellCheck={false}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
    </AskDialog>
  );
}
