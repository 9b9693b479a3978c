import { createHmac } from 'node:crypto';
import type { HttpAuth } from '../../domain/target/target.ts';

/** `time`: milliseconds. The signed time lets an endpoint refuse replayed calls. */
export function authorization(
  auth: HttpAuth,
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
    case 'hmac': {
      const seconds = Math.floor(time / 1000);
      const mac = createHmac('sha256', auth.secret).update(`${seconds}.`).update(body);
      return { 'x-unwrite-signature': `t=${seconds},v1=${mac.digest('hex')}` };
    }
  }
}
