import { Link } from '@tanstack/react-router';
import { t } from '../words/t.ts';

/** A U whose last stroke is being erased. */
export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="3.4" strokeLinecap="round">
        <path d="M9 8v9a7 7 0 0 0 7 7" />
        <path d="M20.2 22.6l1-.9M22.9 18.6l.1-1.2M23 13.4v-.4M23 8.6V8" opacity=".75" />
      </g>
    </svg>
  );
}

export function Wordmark() {
  return (
    <Link to="/" className="flex items-center gap-2 px-1" aria-label={t('nav.home')}>
      <Logo />
      <span className="text-lg font-semibold tracking-[-0.02em]">{t('product')}</span>
    </Link>
  );
}
