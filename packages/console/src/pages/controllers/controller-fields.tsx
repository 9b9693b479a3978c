// The fields of a controller, for creating and editing.
import { type ReactNode, useState } from 'react';
import { TextField } from '../../components/field.tsx';
import { t } from '../../words/t.ts';

interface ControllerFields {
  /** As the API expects them; null means none. */
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
