import { useState } from 'react';
import type { ControllerPage } from '../../api/other-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { t } from '../../words/t.ts';
import { useControllerFields } from './controller-fields.tsx';

interface NewControllerProps {
  readonly onClose: () => void;
  readonly onCreated: (controller: ControllerPage) => void;
}

export function NewController({ onClose, onCreated }: NewControllerProps) {
  const [id, setId] = useState('');
  const { values, fields } = useControllerFields();
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return (
    <AskDialog
      title={t('controllers.new')}
      description={t('controllers.new.meaning')}
      button={t('controllers.create')}
      action={() => ({
        path: '/controllers',
        options: { body: { controller_id: id.trim(), ...Object.fromEntries(given) } },
        done: t('controllers.created'),
      })}
      onClose={onClose}
      onDone={onCreated}
    >
      <TextField
        label={t('controllers.id')}
        hint={t('controllers.id.hint')}
        required
        spellCheck={false}
        value={id}
        onChange={({ target }) => setId(target.value)}
      />
      {fields}
    </AskDialog>
  );
}
