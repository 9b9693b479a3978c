import { useNavigate } from '@tanstack/react-router';
import { controllersQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { FilterSelect } from '../../components/field.tsx';
import type { Filters } from '../../components/filters.ts';
import { useList } from '../../components/use-list.ts';
import { t, tName } from '../../words/t.ts';
import { FilterId } from './filter-text.tsx';

const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'];
const REGULATIONS = ['gdpr', 'ccpa'];

export function RequestFilters({ filters }: { filters: Filters }) {
  const navigate = useNavigate();
  const controllers = useList(controllersQuery);
  function set(name: string, value: string) {
    const search = { ...filters, [name]: value === '' ? undefined : value };
    void navigate({ to: '/requests', search, replace: true });
  }
  const select = (name: string) => ({
    value: filters[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value),
  });
  return (
    <div className="no-print mb-3 grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <FilterSelect
        label={t('status')}
        {...select('status')}
        options={[
          ['', t('filter.anyStatus')],
          ...STATUSES.map((it) => [it, tName('status', it)] as const),
        ]}
      />
      <FilterSelect
        label={t('controller')}
        className="sm:w-auto sm:max-w-56"
        {...select('controller')}
        options={[
          ['', t('filter.anyController')],
          ...(controllers.rows ?? []).map(
            (it) => [it.controller_id, it.name ?? it.controller_id] as const,
          ),
        ]}
      />
      <FilterSelect
        label={t('regulation')}
        {...select('regulation')}
        options={[
          ['', t('filter.anyRegulation')],
          ...REGULATIONS.map((it) => [it, tName('regulation', it)] as const),
        ]}
      />
      <FilterId
        value={filters.id ?? ''}
        onChange={(value) => set('id', value)}
        className="col-span-2 sm:w-48"
      />
      <label className="flex items-center gap-1.5 text-sm text-ink-2">
        {t('filter.from')}
        <input type="date" className="input min-w-0 sm:w-auto" {...select('received_from')} />
      </label>
      <label className="flex items-center gap-1.5 text-sm text-ink-2">
        {t('filter.to')}
        <input type="date" className="input min-w-0 sm:w-auto" {...select('received_to')} />
      </label>
      {Object.keys(filters).length > 0 ? (
        <Button
          look="quiet"
          icon="close"
          onClick={() => void navigate({ to: '/requests', search: {}, replace: true })}
        >
          {t('filter.clear')}
        </Button>
      ) : null}
    </div>
  );
}
