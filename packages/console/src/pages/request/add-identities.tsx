import { type FormEvent, useState } from 'react';
import { requestPath } from '../../api/http.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { t, tName } from '../../words/t.ts';

const TYPES = ['email', 'controller_customer_id'];

export function AddIdentities({ request, onClose }: { request: RequestPage; onClose: () => void }) {
  const [type, setType] = useState('email');
  const [value, setValue] = useState('');
  const add = useAction({ onDone: onClose, showsFailure: true });
  function submit(event: FormEvent) {
    event.preventDefault();
    const identity = { identity_type: type, identity_value: value.trim(), identity_format: 'raw' };
    add.mutate({
      path: `${requestPath(request.controller_id, request.subject_request_id)}/identities`,
      options: { etag: request.etag, body: { identities: [identity] } },
      done: t('identities.added'),
    });
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('identities.add')}
      description={t('identities.meaning')}
    >
      <form onSubmit={submit}>
        <SelectField
          label={t('identities.type')}
          value={type}
          onChange={({ target }) => setType(target.value)}
          options={TYPES.map((it) => [it, tName('identity', it)] as const)}
        />
        <TextField
          label={t('identities.value')}
          required
          spellCheck={false}
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
        <FailureLine error={add.error} />
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            {t('identities.addButton')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
