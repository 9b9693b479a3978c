import { Link } from '@tanstack/react-router';
import { t } from '../words/t.ts';

export function Missing() {
  return (
    <div className="py-16 text-center">
      <h1 className="text-xl font-semibold">{t('missing.title')}</h1>
      <p className="mt-1 text-ink-2">{t('missing.text')}</p>
      <Link to="/" className="link mt-4 inline-block">
        {t('missing.home')}
      </Link>
    </div>
  );
}
