import { TargetDown } from '../../domain/target/connector.ts';

/** Of any status but 200 and 202. */
export function refusalOf(status: number, host: string): TargetDown {
  if (status === 429)
    return new TargetDown('rate_limited', `${host} takes no more calls for now (429)`);
  if (status === 401 || status === 403)
    return new TargetDown(
      'auth_refused',
      `${host} refused the credentials (${status}); mend bearer, basic or hmac of the target`,
    );
  if (status >= 300 && status < 400)
    return new TargetDown(
      'redirected',
      `${host} sends elsewhere (${status}), which is never followed; put the final address into url of the target`,
    );
  return new TargetDown(
    `http_${status}`,
    `${host} answered ${status} where 200 or 202 is expected`,
  );
}
