import { CallFailed } from '../../outbound/call-failed.ts';

/** The error for any status except 200 and 202. */
export function refusalOf(status: number, host: string): CallFailed {
  if (status === 429)
    return new CallFailed('rate_limited', `${host} is limiting the rate of calls (429)`);
  if (status === 401 || status === 403)
    return new CallFailed(
      'auth_refused',
      `${host} refused the credentials (${status}); correct bearer, basic or hmac of the target`,
    );
  if (status >= 300 && status < 400)
    return new CallFailed(
      'redirected',
      `${host} redirects (${status}), and redirects are not followed; set url of the target to the final address`,
    );
  return new CallFailed(
    `http_${status}`,
    `${host} answered ${status} where 200 or 202 is expected`,
  );
}
