import { type FormEvent, useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { t, tName } from '../../words/t.ts';

const ROLES = ['viewer', 'operator', 'admin'];

export function NewScriptAccess({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState('viewer');
  const [days, setDays] = useState('');
  const create = useAction<{ token: string }>({ showsFailure: true });
  function submit(event: FormEvent) {
    event.preventDefault();
    const body = { name: name.trim(), role, ...(days !== '' && { expires_in_days: Number(days) }) };
    create.mutate({ path: '/operator-clients', options: { body }, done: '' });
  }
  if (create.data !== undefined) {
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('scripts.shown')}
        description={t('scripts.shown.more')}
        wide
        keep
      >
        <div className="flex items-center gap-2 rounded-[7px] bg-sunken py-2 pr-2 pl-3">
          <span className="mono min-w-0 flex-1 break-all">{create.data.token}</span>
          <CopyButton text={create.data.token} label={t('scripts.token')} />
        </div>
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            {t('secrets.kept')}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={t('scripts.new')} description={t('scripts.meaning')}>
      <form onSubmit={submit}>
        <TextField
          label={t('scripts.name')}
          hint={t('scripts.name.hint')}
          required
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label={t('scripts.role')}
          value={role}
          onChange={({ target }) => setRole(target.value)}
          options={ROLES.map((it) => [it, tName('role', it)] as const)}
        />
        <TextField
          label={t('scripts.days')}
          hint={t('scripts.days.hint')}
          type="number"
          min={1}
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
        <FailureLine error={create.error} />
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {t('scripts.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
