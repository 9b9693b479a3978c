// Enters a request for a controller, because a letter came in.
import { useState } from 'react';
import { controllersQuery } from '../../api/queries.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { useList } from '../../components/use-list.ts';
import { namesOf, t, tName } from '../../words/t.ts';

interface NewRequestProps {
  readonly onClose: () => void;
  readonly onEntered: (request: RequestPage) => void;
}

export function NewRequest({ onClose, onEntered }: NewRequestProps) {
  const { rows = [], hasMore } = useList(controllersQuery);
  const [values, setValues] = useState({
    controller: '',
    regulation: 'gdpr',
    type: 'email',
    value: '',
    submitted: '',
  });
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setValues((before) => ({ ...before, [name]: target.value })),
  });
  const { regulation, submitted } = values;
  const controller = values.controller || (rows[0]?.controller_id ?? '');
  const identity = {
    identity_type: values.type,
    identity_value: values.value.trim(),
    identity_format: 'raw',
  };
  return (
    <AskDialog<RequestPage>
      title={t('enter.title')}
      description={t('enter.meaning')}
      button={t('enter.do')}
      action={() => ({
        path: '/requests',
        options: {
          body: {
            controller,
            regulation,
            identities: [identity],
            ...(submitted !== '' && { submitted_time: `${submitted}T00:00:00Z` }),
          },
        },
        done: t('enter.done'),
      })}
      onClose={onClose}
      onDone={onEntered}
    >
      {hasMore ? (
        <TextField label={t('controller')} required {...field('controller')} />
      ) : (
        <SelectField
          label={t('controller')}
          {...field('controller')}
          value={controller}
          options={rows.map((it) => [it.controller_id, it.name ?? it.controller_id] as const)}
        />
      )}
      <SelectField
        label={t('regulation')}
        {...field('regulation')}
        options={namesOf('regulation').map((it) => [it, tName('regulation', it)] as const)}
      />
      <SelectField
        label={t('identities.type')}
        {...field('type')}
        options={namesOf('identity').map((it) => [it, tName('identity', it)] as const)}
      />
      <TextField label={t('identities.value')} required spellCheck={false} {...field('value')} />
      <TextField
        label={t('enter.submitted')}
        hint={t('enter.submitted.hint')}
        type="date"
        max="9999-12-31"
        {...field('submitted')}
      />
    </AskDialog>
  );
}
