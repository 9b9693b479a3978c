import { type FormEvent, useState } from 'react';
import type { ControllerPage } from '../../api/other-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { t } from '../../words/t.ts';

interface NewControllerProps {
  readonly onClose: () => void;
  readonly onCreated: (controller: ControllerPage) => void;
}

export function NewController({ onClose, onCreated }: NewControllerProps) {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [sso, setSso] = useState('');
  const create = useAction<ControllerPage>({ onDone: onCreated, showsFailure: true });
  function submit(event: FormEvent) {
    event.preventDefault();
    const body = {
      controller_id: id.trim(),
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(sso.trim() !== '' && { sso_organisation: sso.trim() }),
    };
    create.mutate({ path: '/controllers', options: { body }, done: t('controllers.created') });
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('controllers.new')}
      description={t('controllers.new.meaning')}
    >
      <form onSubmit={submit}>
        <TextField
          label={t('controllers.id')}
          hint={t('controllers.id.hint')}
          required
          spellCheck={false}
          value={id}
          onChange={({ target }) => setId(target.value)}
        />
        <TextField
          label={t('name')}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={t('controllers.sso')}
          hint={t('controllers.sso.hint')}
          value={sso}
          onChange={({ target }) => setSso(target.value)}
        />
        <FailureLine error={create.error} />
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {t('controllers.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
