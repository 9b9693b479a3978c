import type { ReactNode } from 'react';

interface CardProps {
  readonly title?: ReactNode;
  /** Shown beside the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Without padding, so that lists reach from edge to edge. */
  readonly flush?: boolean;
}

export function Card({ title, aside, children, className = '', flush = false }: CardProps) {
  return (
    <section className={`card min-w-0 ${className}`}>
      {title === undefined ? null : (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b px-4 py-2">
          <h2 className="font-semibold">{title}</h2>
          {aside === undefined ? null : (
            <div className="flex items-center gap-2 text-sm text-ink-2">{aside}</div>
          )}
        </header>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}

/** Names and values, as a list that wraps. */
export function Facts({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-x-6 gap-y-3 print:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))]">
      {items.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-ink-3">{name}</dt>
          <dd className="mt-0.5 min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
