// Logs failed logins, so that operators can detect guessing. A client id that we did not issue may be anything, even a
// secret in the wrong field, so it is not logged.
import { createFewLines } from './few-lines.ts';
import type { Log } from './log.ts';

const MAX_LINES = 10;
const OUR_CLIENT_ID = /^cli_[0-9a-f]{24}$/;

export interface FailedLogin {
  readonly clientId: string;
  readonly address: string;
  /** Refused without checking the secret, because of earlier failures. */
  readonly isThrottled: boolean;
}

export function createLoginLog(log: Log): (failed: FailedLogin) => void {
  const write = createFewLines(log, MAX_LINES);
  return ({ clientId, address, isThrottled }) => {
    const client = OUR_CLIENT_ID.test(clientId) ? clientId : 'unknown';
    write('warn', { client, address, throttled: isThrottled }, 'a login failed');
  };
}
