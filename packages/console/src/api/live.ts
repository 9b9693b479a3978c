// The server reports changes as a stream. If no stream is possible (a proxy that buffers), everything on the page is
// read again every few seconds, and the stream is tried again from time to time.
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { apiAddress, onAnswered } from './http.ts';
import type { RequestName } from './request-types.ts';
import { sessionQuery } from './session.ts';

type LiveState = 'live' | 'polling' | 'connecting' | 'failing' | 'away';

interface Changed {
  readonly what: readonly string[];
  readonly requests?: readonly RequestName[];
}

const POLL_MS = 5000;
/** Polling begins after this time without a stream. */
const PATIENCE_MS = 6000;
/** A browser gives up a stream that was refused, for example by a proxy whose server restarts. */
const CONNECT_AGAIN_MS = 15_000;
/** By then the page's first data is there. It is read once more, because it may be older than the stream. */
const FIRST_READ_MS = 1000;
/** The server sends a sign of life every 15 seconds. */
const SILENCE_MS = 40_000;
/** A browser has few connections to a server for all its tabs: hidden tabs give theirs up after this time. */
const HIDDEN_MS = 5000;
/** Changes of a burst are read together. */
const GATHER_MS = 250;

/** Further queries to read again, beside those with the name of the event. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  requests: ['overview', 'attention', 'statistics'],
  tasks: ['overview', 'attention', 'requests', 'targets'],
  targets: ['overview', 'attention'],
  pause: ['overview', 'attention', 'targets'],
  alarms: ['overview', 'targets'],
  controllers: ['overview'],
  restore: ['overview'],
};

let state: LiveState = 'connecting';
const listeners = new Set<() => void>();

function setState(next: LiveState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Returns a function that stops it. */
export function followChanges(client: QueryClient): () => void {
  let source: EventSource | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let connecting: ReturnType<typeof setTimeout> | undefined;
  let reading: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let waiting: Changed[] = [];
  let wasReady = false;

  function poll(): void {
    if (polling !== undefined) return;
    setState('polling');
    polling = setInterval(() => void client.invalidateQueries(), POLL_MS);
  }
  /** Failed attempts do not restart this timer. */
  let patience: ReturnType<typeof setTimeout> | undefined = setTimeout(poll, PATIENCE_MS);

  function leave(): void {
    source?.close();
    source = undefined;
    clearTimeout(silence);
    clearTimeout(connecting);
    if (state === 'live') setState('connecting');
  }

  /** A server that hangs keeps the stream open and sends nothing. */
  function heard(): void {
    clearTimeout(silence);
    silence = setTimeout(() => {
      leave();
      patience ??= setTimeout(poll, PATIENCE_MS);
      connecting = setTimeout(connect, CONNECT_AGAIN_MS);
    }, SILENCE_MS);
  }

  function look(): void {
    clearTimeout(hiding);
    if (document.visibilityState === 'hidden') hiding = setTimeout(leave, HIDDEN_MS);
    else if (source === undefined) connect();
  }
  document.addEventListener('visibilitychange', look);
  const forget = onAnswered((answer) => {
    if (answer !== 'answered') {
      if (state !== 'live') setState(answer === 'none' ? 'away' : 'failing');
    } else if (state === 'away' || state === 'failing')
      setState(polling === undefined ? 'connecting' : 'polling');
  });

  function connect(): void {
    clearTimeout(connecting);
    source?.close();
    const stream = new EventSource(apiAddress('/events'), { withCredentials: true });
    source = stream;
    stream.addEventListener('open', () => {
      clearTimeout(patience);
      clearInterval(polling);
      patience = undefined;
      polling = undefined;
      setState('live');
      heard();
    });
    stream.addEventListener('alive', heard);
    stream.addEventListener('ready', () => {
      heard();
      // The stream does not report changes from before it was opened.
      clearTimeout(reading);
      reading = setTimeout(() => void client.invalidateQueries(), wasReady ? 0 : FIRST_READ_MS);
      wasReady = true;
    });
    stream.addEventListener('error', () => {
      if (state === 'live') setState('connecting');
      // A stream also ends with the session: a person who is signed out is sent to the sign-in page now.
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      patience ??= setTimeout(poll, PATIENCE_MS);
      if (stream.readyState === EventSource.CLOSED) {
        clearTimeout(connecting);
        connecting = setTimeout(connect, CONNECT_AGAIN_MS);
      }
    });
    stream.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      heard();
      waiting.push(JSON.parse(data) as Changed);
      gathering ??= setTimeout(() => {
        readAgain(client, waiting);
        waiting = [];
        gathering = undefined;
      }, GATHER_MS);
    });
  }
  connect();

  return () => {
    leave();
    forget();
    document.removeEventListener('visibilitychange', look);
    clearTimeout(hiding);
    clearTimeout(patience);
    clearTimeout(gathering);
    clearTimeout(reading);
    clearInterval(polling);
  };
}

function readAgain(client: QueryClient, changes: readonly Changed[]): void {
  const names = new Set(
    changes.flatMap(({ what }) => what.flatMap((it) => [it, ...(ALSO[it] ?? [])])),
  );
  const known = changes.every(({ requests }) => requests !== undefined);
  const named = new Set(
    changes.flatMap(({ requests = [] }) =>
      requests.map((it) => `${it.controller_id}\n${it.subject_request_id}`),
    ),
  );
  void client.invalidateQueries({
    predicate: ({ queryKey: [first, second, third] }) => {
      if (!names.has(String(first))) return false;
      // The page of a request that did not change is not read again.
      const isOne = first === 'requests' && second !== 'list';
      return !(isOne && known && named.size > 0) || named.has(`${second}\n${third}`);
    },
  });
}
