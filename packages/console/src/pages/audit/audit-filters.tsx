import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { FilterDay, FilterSelect } from '../../components/field.tsx';
import type { Filters } from '../../components/filters.ts';
import { namesOf, t, tName } from '../../words/t.ts';
import { FilterId, FilterText } from '../requests/filter-text.tsx';

const ACTIONS = namesOf('action');

export function AuditFilters({ filters }: { filters: Filters }) {
  const navigate = useNavigate();
  function set(name: string, value: string) {
    const search = { ...filters, [name]: value === '' ? undefined : value };
    void navigate({ to: '/audit', search, replace: true });
  }
  const text = (name: string, label: string) => (
    <FilterText
      key={name}
      label={label}
      value={filters[name] ?? ''}
      onChange={(value) => set(name, value)}
      className="sm:w-32"
    />
  );
  const day = (name: string, label: string) => (
    <FilterDay label={label} value={filters[name] ?? ''} onChange={(value) => set(name, value)} />
  );
  return (
    <div className="no-print mb-3 grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <FilterSelect
        label={t('audit.action')}
        className="sm:w-auto sm:max-w-64"
        value={filters.action ?? ''}
        onChange={({ target }) => set('action', target.value)}
        options={[
          ['', t('audit.anyAction')],
          ...ACTIONS.map((it) => [it, tName('action', it)] as const),
        ]}
      />
      <FilterSelect
        label={t('audit.whose')}
        value={filters.by ?? ''}
        onChange={({ target }) => set('by', target.value)}
        options={[
          ['', t('audit.everybody')],
          ['operators', t('audit.operators')],
        ]}
      />
      {text('actor', t('audit.actor'))}
      {text('controller', t('controller'))}
      <FilterId
        value={filters.request ?? ''}
        onChange={(value) => set('request', value)}
        className="sm:w-48"
      />
      <div className="col-span-2 flex flex-wrap items-center gap-2">
        {day('since', t('filter.from'))}
        {day('until', t('filter.to'))}
      </div>
      {Object.keys(filters).length > 0 ? (
        <Button
          look="quiet"
          icon="close"
          onClick={() => void navigate({ to: '/audit', search: {}, replace: true })}
        >
          {t('filter.clear')}
        </Button>
      ) : null}
    </div>
  );
}
