// Counts the rows that would be erased here for a chosen person. Nothing is changed.
import { type FormEvent, useState } from 'react';
import { controllersQuery } from '../../api/queries.ts';
import type { Preview } from '../../api/request-types.ts';
import type { TargetPage } from '../../api/target-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { useList } from '../../components/use-list.ts';
import { namesOf, t, tName } from '../../words/t.ts';
import { PreviewResult } from '../tasks/preview-result.tsx';

export function PersonPreview({ target, onClose }: { target: TargetPage; onClose: () => void }) {
  const controllers = useList(controllersQuery);
  const ids = target.controllers ?? controllers.rows?.map((it) => it.controller_id) ?? [];
  /** If there is more than one page of controllers, the id is typed. */
  const isChoice = target.controllers !== null || !controllers.hasMore;
  const [controller, setController] = useState('');
  const [type, setType] = useState('email');
  const [value, setValue] = useState('');
  const preview = useAction<Preview>({ showsFailure: true });
  function submit(event: FormEvent) {
    event.preventDefault();
    const identity = { identity_type: type, identity_value: value.trim(), identity_format: 'raw' };
    const body = { controller: controller.trim() || ids[0], identities: [identity] };
    preview.mutate({ path: '/preview', options: { body }, done: '' });
  }
  const found = preview.data?.targets.filter((it) => it.target === target.name) ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('preview.person')}
      description={t('preview.meaning')}
      wide
    >
      <form onSubmit={submit}>
        {isChoice ? (
          <SelectField
            label={t('controller')}
            value={controller}
            onChange={(event) => setController(event.target.value)}
            options={ids.map((id) => [id, id] as const)}
          />
        ) : (
          <TextField
            label={t('controller')}
            required
            spellCheck={false}
            value={controller}
            onChange={(event) => setController(event.target.value)}
          />
        )}
        <SelectField
          label={t('identities.type')}
          value={type}
          onChange={(event) => setType(event.target.value)}
          options={namesOf('identity').map((it) => [it, tName('identity', it)] as const)}
        />
        <TextField
          label={t('identities.value')}
          required
          spellCheck={false}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <FailureLine error={preview.error} />
        <DialogActions>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button type="submit" look="primary" icon="eye" busy={preview.isPending}>
            {t('preview.button')}
          </Button>
        </DialogActions>
      </form>
      {preview.data === undefined ? null : (
        <div className="mt-5">
          <PreviewResult preview={{ ...preview.data, targets: found }} />
        </div>
      )}
    </Dialog>
  );
}
