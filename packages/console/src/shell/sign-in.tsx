// Nobody is signed in: how to, for both kinds of installation.
import { useEffect } from 'react';
import { BUTTON, BUTTON_LOOKS, BUTTON_SIZES } from '../components/button.tsx';
import { CopyButton } from '../components/copy.tsx';
import { t } from '../words/t.ts';
import { Logo } from './wordmark.tsx';

const COMMAND = 'npx unwrite console link';

export function SignIn() {
  useEffect(() => {
    document.title = `${t('signIn.title')} · ${t('product')}`;
  }, []);
  return (
    <main className="mx-auto flex min-h-screen max-w-md flex-col justify-center px-5 py-12">
      <div className="flex items-center gap-3">
        <Logo className="size-9" />
        <span className="text-xl font-semibold tracking-[-0.02em]">{t('product')}</span>
      </div>
      <h1 className="mt-8 text-2xl font-semibold tracking-[-0.02em]">{t('signIn.title')}</h1>
      <p className="mt-2 text-ink-2">{t('signIn.lead')}</p>
      <a
        href={`/operator/sign-in?return_to=${encodeURIComponent(location.pathname + location.search)}`}
        className={`${BUTTON} ${BUTTON_LOOKS.primary} ${BUTTON_SIZES.usual} mt-6`}
      >
        {t('signIn.button')}
      </a>
      <div className="card mt-6 p-4">
        <h2 className="font-medium">{t('signIn.link.title')}</h2>
        <p className="mt-1 text-sm text-ink-2">{t('signIn.link.text')}</p>
        <div className="mt-3 flex items-center justify-between rounded-[7px] bg-sunken py-1.5 pr-1.5 pl-3">
          <code>{COMMAND}</code>
          <CopyButton text={COMMAND} label={t('signIn.link.command')} />
        </div>
      </div>
    </main>
  );
}
