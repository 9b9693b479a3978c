import { TargetDown } from '../../domain/target/connector.ts';

/** The error for any status except 200 and 202. */
export function refusalOf(status: number, host: string): TargetDown {
  if (status === 429)
    return new TargetDown('rate_limited', `${host} is limiting the rate of calls (429)`);
  if (status === 401 || status === 403)
    return new TargetDown(
      'auth_refused',
      `${host} refused the credentials (${status}); correct bearer, basic or hmac of the target`,
    );
  if (status >= 300 && status < 400)
    return new TargetDown(
      'redirected',
      `${host} redirects (${status}), and redirects are not followed; set url of the target to the final address`,
    );
  return new TargetDown(
    `http_${status}`,
    `${host} answered ${status} where 200 or 202 is expected`,
  );
}
