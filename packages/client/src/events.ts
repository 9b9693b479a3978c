import type { Operation } from './errors.ts';

/** What a logging hook is told. There is never an identity, a secret or a token in it. */
export type ClientEvent =
  | {
      readonly type: 'answer';
      readonly operation: Operation;
      readonly subjectRequestId: string | undefined;
      readonly attempt: number;
      readonly status: number;
      readonly durationMs: number;
      readonly requestId: string | undefined;
    }
  | {
      readonly type: 'no answer';
      readonly operation: Operation;
      readonly subjectRequestId: string | undefined;
      readonly attempt: number;
      readonly reason: string;
      readonly durationMs: number;
    }
  | {
      readonly type: 'retry';
      readonly operation: Operation;
      readonly subjectRequestId: string | undefined;
      /** The attempt that is next. */
      readonly attempt: number;
      readonly delayMs: number;
    };

export type OnEvent = (event: ClientEvent) => void;

/** A hook that throws must not decide whether a request counts as submitted. */
export function guardHook(hook: OnEvent | undefined): OnEvent {
  return (event) => {
    try {
      hook?.(event);
    } catch {
      // There is nobody to tell.
    }
  };
}
