// A name for each HTTP request, for the log and the caller: unique across restarts, cheap to make.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

export function createRequestIds(trustIncoming: boolean): (request: IncomingMessage) => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return (request) => {
    if (trustIncoming) {
      const given = request.headers['x-request-id'];
      if (typeof given === 'string' && ACCEPTABLE.test(given)) return given;
    }
    return `${prefix}-${(++count).toString(36)}`;
  };
}
