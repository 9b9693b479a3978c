// Starts the console in the page that the server sent.
import './theme/theme.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiFailure } from './api/http.ts';
import { sessionQuery } from './api/session.ts';
import { createConsoleRouter } from './router.tsx';
import { applyTheme } from './theme/theme.ts';

const TRIES = 2;
/** Failed reads are repeated while their part of the page is shown: the stream reports changes, not failures. */
const READ_AGAIN_MS = 5000;

/** Whether a failure may be temporary: no answer, or an error of the server. A refusal is final. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiFailure && error.status >= 400 && error.status < 500);
}

/** Dialogs insert a style into the page and take the nonce of its policy from here. */
function handOverNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce;
  Object.assign(globalThis, { __webpack_nonce__: nonce });
}

function signedOut(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401)
    void client.resetQueries({ queryKey: sessionQuery.queryKey, exact: true });
}

const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== sessionQuery.queryKey[0]) signedOut(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      signedOut(error);
      // Another person may be signed in by now.
      if (error instanceof ApiFailure && error.status === 403) void client.invalidateQueries();
    },
  }),
  defaultOptions: {
    // An action that could not be sent has failed: it must not be sent later, when the network is back.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 2000,
      retry: (failures, error) => failures < TRIES && mayPass(error),
      retryDelay: 500,
      refetchInterval: ({ state: { status, error } }) =>
        status === 'error' && mayPass(error) ? READ_AGAIN_MS : false,
    },
  },
});

handOverNonce();
applyTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the console');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={createConsoleRouter()} />
    </QueryClientProvider>
  </StrictMode>,
);
