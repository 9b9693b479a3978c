// Failed logins, for whoever looks for guessing. A few lines a minute, and how many there were beside them: a flood
// must not fill the disk. A name that we did not give out may be anything, also a secret in the wrong field, so
// it is not written down.
import type { Log } from './log.ts';

const MOST_LINES = 10;
const WINDOW_MS = 60_000;
const OUR_CLIENT_ID = /^cli_[0-9a-f]{24}$/;

export interface FailedLogin {
  readonly clientId: string;
  readonly address: string;
  /** It was turned away unseen, for those before it. */
  readonly isThrottled: boolean;
}

export function createLoginLog(log: Log, now: () => number): (failed: FailedLogin) => void {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let unsaid = 0;

  return ({ clientId, address, isThrottled }) => {
    if (now() - since >= WINDOW_MS) {
      if (unsaid > 0) log.warn({ failed: unsaid }, 'more logins failed since the last line');
      since = now();
      lines = 0;
      unsaid = 0;
    }
    if (lines >= MOST_LINES) {
      unsaid++;
      return;
    }
    lines++;
    const client = OUR_CLIENT_ID.test(clientId) ? clientId : 'unknown';
    log.warn({ client, address, throttled: isThrottled }, 'a login failed');
  };
}
