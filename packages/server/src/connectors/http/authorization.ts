import type { HttpAuth } from '../../domain/target/target.ts';
import { signCall } from '../../outbound/sign-call.ts';

/** `id`: the same for all attempts of a call. */
export function authorization(
  auth: HttpAuth,
  id: string,
  body: Uint8Array,
  time: number,
): Record<string, string> {
  switch (auth.kind) {
    case 'none':
      return {};
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` };
    case 'basic': {
      const pair = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
      return { authorization: `Basic ${pair}` };
    }
    case 'hmac':
      return signCall(auth.secret, id, body, time);
  }
}
