// When to stop going through a list of requests: no call succeeds any more, whichever request it is about. The next run
// carries on.
import { type ErasureError, TokenRefusedError } from '@unwrite/client';

export interface StopRule {
  succeeded(): void;
  /** True: send no more. */
  failed(error: ErasureError): boolean;
}

/** Of a file whose people are refused one by one: it is wrong as a whole, or the way it is read is. */
const FIRST_REFUSED = 100;

export function createStopRule(concurrency: number): StopRule {
  let failures = 0;
  let refused = 0;
  let hasSucceeded = false;
  return {
    succeeded() {
      failures = 0;
      hasSucceeded = true;
    },
    failed(error) {
      // Each further call would be one more guess at a secret.
      if (error instanceof TokenRefusedError || error.status === 401) return true;
      if (!isAboutOne(error)) return ++failures > 2 * concurrency;
      failures = 0;
      return error.operation === 'submit' && !hasSucceeded && ++refused >= FIRST_REFUSED;
    },
  };
}

/** The processor works, and refuses this request. Others, such as the page of a proxy, say nothing about it. */
function isAboutOne({ code, operation }: ErasureError): boolean {
  return (
    ['invalid_request', 'conflict', 'not_pending'].includes(code) ||
    (code === 'not_found' && operation !== 'submit')
  );
}
