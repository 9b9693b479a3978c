// What can be said of a controller, when it is made and later.
import { type ReactNode, useState } from 'react';
import { TextField } from '../../components/field.tsx';
import { t } from '../../words/t.ts';

interface ControllerFields {
  /** As the API takes them; null: none. */
  readonly values: { readonly name: string | null; readonly sso_organisation: string | null };
  readonly fields: ReactNode;
}

export function useControllerFields(
  before: ControllerFields['values'] = { name: null, sso_organisation: null },
): ControllerFields {
  const [name, setName] = useState(before.name ?? '');
  const [sso, setSso] = useState(before.sso_organisation ?? '');
  return {
    values: { name: name.trim() || null, sso_organisation: sso.trim() || null },
    fields: (
      <>
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
      </>
    ),
  };
}
