// A choice among the controllers; if there is more than one page of them, the id is typed.
import { useState } from 'react';
import { controllersQuery } from '../../api/queries.ts';
import { FilterSelect } from '../../components/field.tsx';
import { useList } from '../../components/use-list.ts';
import { t } from '../../words/t.ts';
import { FilterText } from './filter-text.tsx';

interface FilterControllerProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function FilterController({ value, onChange }: FilterControllerProps) {
  const { rows = [], hasMore } = useList(controllersQuery);
  // A field that is in use does not change its kind until the person leaves it.
  const [used, setUsed] = useState<boolean>();
  const isTyped = used ?? hasMore;
  const use = { onFocus: () => setUsed(isTyped), onBlur: () => setUsed(undefined) };
  if (isTyped) {
    return <FilterText label={t('controller')} value={value} onChange={onChange} {...use} />;
  }
  const isListed = value === '' || rows.some((it) => it.controller_id === value);
  return (
    <FilterSelect
      label={t('controller')}
      {...use}
      className="sm:w-auto sm:max-w-56"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        ['', t('filter.anyController')],
        // The value is known only from the address, or the list has not been read yet.
        ...(isListed ? [] : [[value, value] as const]),
        ...rows.map((it) => [it.controller_id, it.name ?? it.controller_id] as const),
      ]}
    />
  );
}
