// Links to the six main pages: on the left, or at the bottom of a narrow screen.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { overviewQuery } from '../api/queries.ts';
import { Icon } from '../components/icons.tsx';
import { t } from '../words/t.ts';
import { AccountMenu } from './account-menu.tsx';
import { LiveMark } from './live-mark.tsx';
import { PLACES } from './places.ts';
import { openSearch } from './search-and-keys.tsx';
import { Wordmark } from './wordmark.tsx';

function useAttention(): number {
  const { data } = useQuery(overviewQuery);
  return data?.attention.total ?? 0;
}

function AttentionCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="numbers ml-auto rounded-full bg-warn-soft px-1.5 text-xs font-semibold text-warn">
      {count > 999 ? '999+' : count}
      <span className="sr-only"> {t('nav.attention')}</span>
    </span>
  );
}

export function Sidebar() {
  const attention = useAttention();
  return (
    <aside className="no-print fixed inset-y-0 left-0 z-30 hidden w-56 flex-col border-r bg-sunken/60 px-3 py-4 md:flex">
      <Wordmark />
      <button
        type="button"
        onClick={openSearch}
        className="mt-4 flex items-center gap-2 rounded-[7px] border border-edge bg-surface px-2.5 py-1.5 text-sm text-ink-2 hover:text-ink"
      >
        <Icon name="search" className="size-3.5" />
        {t('search')}
        <kbd className="ml-auto rounded border px-1.5 text-2xs text-ink-3">/</kbd>
      </button>
      <nav aria-label={t('nav.label')} className="mt-4 flex flex-col gap-0.5">
        {PLACES.map(({ to, icon, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className="flex items-center gap-2.5 rounded-[7px] px-2.5 py-1.5 text-ink-2 hover:bg-hover hover:text-ink"
            activeProps={{
              className:
                'bg-surface! text-ink! font-medium shadow-card ring-1 ring-line ring-inset [&_svg]:text-accent',
            }}
          >
            <Icon name={icon} />
            {label}
            {to === '/' ? <AttentionCount count={attention} /> : null}
          </Link>
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-2">
        <LiveMark />
        <AccountMenu />
      </div>
    </aside>
  );
}

export function BottomBar() {
  const attention = useAttention();
  return (
    <>
      <header className="no-print fixed inset-x-0 top-0 z-30 flex h-12 items-center gap-2 border-b bg-page/95 px-4 backdrop-blur md:hidden">
        <Wordmark />
        <span className="ml-auto" />
        <button
          type="button"
          onClick={openSearch}
          aria-label={t('search')}
          className="inline-flex size-9 items-center justify-center rounded-[7px] text-ink-2"
        >
          <Icon name="search" />
        </button>
        <AccountMenu compact />
      </header>
      <nav
        aria-label={t('nav.label')}
        className="no-print fixed inset-x-0 bottom-0 z-30 grid grid-cols-6 border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {PLACES.map(({ to, icon, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className="relative flex min-w-0 flex-col items-center gap-0.5 py-2 text-[0.625rem] leading-3 text-ink-2"
            activeProps={{ className: 'text-accent! font-semibold' }}
          >
            <Icon name={icon} className="size-5" />
            <span className="max-w-full truncate tracking-tighter">{label}</span>
            {to === '/' && attention > 0 ? (
              <span className="absolute top-1.5 right-[calc(50%-1rem)] size-2 rounded-full bg-warn" />
            ) : null}
          </Link>
        ))}
      </nav>
    </>
  );
}
