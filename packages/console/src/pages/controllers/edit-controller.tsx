import { type FormEvent, useState } from 'react';
import type { ControllerPage } from '../../api/other-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { t } from '../../words/t.ts';

interface EditControllerProps {
  readonly controller: ControllerPage;
  readonly onClose: () => void;
}

export function EditController({ controller, onClose }: EditControllerProps) {
  const [name, setName] = useState(controller.name ?? '');
  const [sso, setSso] = useState(controller.sso_organisation ?? '');
  const save = useAction({ onDone: onClose, showsFailure: true });
  function submit(event: FormEvent) {
    event.preventDefault();
    const body = { name: name.trim() || null, sso_organisation: sso.trim() || null };
    save.mutate({
      path: `/controllers/${encodeURIComponent(controller.controller_id)}`,
      options: { method: 'PATCH', etag: controller.etag, body },
      done: t('saved'),
    });
  }
  return (
    <Dialog open onClose={onClose} title={t('controllers.edit')}>
      <form onSubmit={submit} className="pt-2">
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
        <FailureLine error={save.error} />
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
