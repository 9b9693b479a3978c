// The frame around every page: navigation, who is signed in, and the banners.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiFailure } from '../api/http.ts';
import { followChanges } from '../api/live.ts';
import { sessionQuery } from '../api/session.ts';
import { Failure } from '../components/failure.tsx';
import { Toasts } from '../components/toast.tsx';
import { DecidingHere } from '../pages/tasks/deciding.tsx';
import { t } from '../words/t.ts';
import { Banners } from './banners.tsx';
import { BottomBar, Sidebar } from './navigation.tsx';
import { SearchAndKeys } from './search-and-keys.tsx';
import { goToSignIn } from './sign-in.ts';

export function Shell() {
  const session = useQuery(sessionQuery);
  const isSignedOut = session.error instanceof ApiFailure && session.error.status === 401;
  useEffect(() => {
    if (isSignedOut) goToSignIn();
  }, [isSignedOut]);
  if (session.data !== undefined) return <SignedIn />;
  if (session.error !== null && !isSignedOut) {
    return (
      <main className="mx-auto max-w-lg px-4 py-24">
        <Failure error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  return null;
}

function SignedIn() {
  const client = useQueryClient();
  useEffect(() => followChanges(client), [client]);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <div className="min-h-screen md:pl-56 print:pl-0">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t('skip')}
      </a>
      <Sidebar />
      <Banners />
      <main
        id="content"
        key={path}
        tabIndex={-1}
        className="mx-auto max-w-[88rem] px-4 pt-5 pb-28 outline-none md:px-8 md:pt-7 md:pb-16"
      >
        <DecidingHere>
          <Outlet />
        </DecidingHere>
      </main>
      <BottomBar />
      <SearchAndKeys />
      <Toasts />
    </div>
  );
}
