// Something that a person does: asked of the server, told in a corner, and what it changed is read again.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { failureWords } from '../components/failure.tsx';
import { say } from '../components/toast.tsx';
import { t } from '../words/t.ts';
import { type ActionOptions, ApiFailure, apiAct } from './http.ts';

export interface Action {
  readonly path: string;
  readonly options?: ActionOptions;
  /** What to say when it is done. */
  readonly done: string;
}

interface UseActionOptions<T> {
  readonly onDone?: (answer: T) => void;
  /** Where the failure is shown beside what was filled in, and not in the corner. */
  readonly showsFailure?: boolean;
}

export function useAction<T = unknown>({ onDone, showsFailure = false }: UseActionOptions<T> = {}) {
  const client = useQueryClient();
  // Before the button knows: a second click comes sooner.
  const isRunning = useRef(false);
  const running = useRef<AbortController>(undefined);
  // Who leaves does not wait any more, and the server may have got it all the same.
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
    // What was answered may be a secret or an identity: it goes with what shows it.
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
      // Somebody else was first: show what it is now.
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
