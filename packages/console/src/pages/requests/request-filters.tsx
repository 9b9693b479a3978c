import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { FilterDay, FilterSelect } from '../../components/field.tsx';
import type { Filters } from '../../components/filters.ts';
import { t, tName } from '../../words/t.ts';
import { FilterController } from './filter-controller.tsx';
import { FilterId } from './filter-text.tsx';

const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'];
const OUTCOMES = ['erased', 'partly retained', 'retained', 'found nowhere'];
const REGULATIONS = ['gdpr', 'ccpa'];

export function RequestFilters({ filters }: { filters: Filters }) {
  const navigate = useNavigate();
  function set(name: string, value: string) {
    const search = { ...filters, [name]: value === '' ? undefined : value };
    void navigate({ to: '/requests', search, replace: true });
  }
  const select = (name: string) => ({
    value: filters[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value),
  });
  const day = (name: string, label: string) => (
    <FilterDay label={label} value={filters[name] ?? ''} onChange={(value) => set(name, value)} />
  );
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
        label={t('outcome')}
        {...select('outcome')}
        options={[
          ['', t('filter.anyOutcome')],
          ...OUTCOMES.map((it) => [it, tName('ended', it)] as const),
        ]}
      />
      <FilterController
        value={filters.controller ?? ''}
        onChange={(value) => set('controller', value)}
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
      <div className="col-span-2 grid grid-cols-2 gap-2 sm:flex">
        {day('received_from', t('filter.from'))}
        {day('received_to', t('filter.to'))}
      </div>
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
