// An action of a person: sent to the server and reported in a corner; the data that it changed is read again.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { failureWords } from '../components/failure.tsx';
import { say } from '../components/toast.tsx';
import { t } from '../words/t.ts';
import { type ActionOptions, ApiFailure, apiAct } from './http.ts';

export interface Action {
  readonly path: string;
  readonly options?: ActionOptions;
  /** Message for success. */
  readonly done: string;
}

interface UseActionOptions<T> {
  readonly onDone?: (answer: T) => void;
  /** Set if the failure is shown beside the form, and not in the corner. */
  readonly showsFailure?: boolean;
}

export function useAction<T = unknown>({ onDone, showsFailure = false }: UseActionOptions<T> = {}) {
  const client = useQueryClient();
  // A second click may come before the button is rendered as busy.
  const isRunning = useRef(false);
  const running = useRef<AbortController>(undefined);
  // Leaving the page ends the waiting; the server may still have received the call.
  useEffect(
    () => () => {
      if (!isRunning.current) return;
      isRunning.current = false;
      running.current?.abort();
      say(t('failure.left'), { bad: true });
    },
    [],
  );
  const mutation = useMutation({
    // The answer may be a secret or an identity: it is dropped with the component that shows it.
    gcTime: 0,
    mutationFn: ({ path, options }: Action) => {
      running.current = new AbortController();
      return apiAct<T>(path, { ...options, signal: running.current.signal });
    },
    onSuccess: (answer, { done }) => {
      isRunning.current = false;
      if (done !== '') say(done);
      void client.invalidateQueries();
      onDone?.(answer);
    },
    onError: (error) => {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      // Another operator was first: show the current state.
      if (error instanceof ApiFailure && error.status === 409) void client.invalidateQueries();
      if (!showsFailure) say(failureWords(error), { bad: true });
    },
    onSettled: () => {
      isRunning.current = false;
    },
  });
  const { mutate } = mutation;
  const once = useCallback(
    (action: Action) => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutate(action);
    },
    [mutate],
  );
  return { ...mutation, mutate: once };
}
