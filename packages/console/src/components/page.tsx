import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { t } from '../words/t.ts';
import { Icon } from './icons.tsx';

interface PageProps {
  readonly title: ReactNode;
  /** Title of the browser window, for pages whose `title` is not plain text. */
  readonly name?: string;
  readonly back?: { readonly to: string; readonly label: string };
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, name, back, lead, actions, children }: PageProps) {
  const windowTitle = name ?? (typeof title === 'string' ? title : '');
  useEffect(() => {
    document.title = `${windowTitle} · ${t('product')}`;
  }, [windowTitle]);
  return (
    <>
      {back === undefined ? null : (
        <Link
          to={back.to}
          className="no-print -ml-1 mb-2 inline-flex items-center gap-0.5 text-sm text-ink-2 hover:text-ink"
        >
          <Icon name="back" className="size-3.5" />
          {back.label}
        </Link>
      )}
      <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-[-0.012em]">{title}</h1>
          {lead === undefined ? null : <div className="mt-0.5 text-ink-2">{lead}</div>}
        </div>
        {actions === undefined ? null : (
          <div className="no-print flex flex-wrap items-center gap-2">{actions}</div>
        )}
      </header>
      {children}
    </>
  );
}
