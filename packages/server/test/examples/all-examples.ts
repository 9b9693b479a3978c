// The worked examples in the order of the page.
import { calcom } from './calcom/example.ts';
import { chatwoot } from './chatwoot/example.ts';
import { crm } from './crm/example.ts';
import { django } from './django/example.ts';
import type { Example } from './example.ts';
import { formbricks } from './formbricks/example.ts';
import { forum } from './forum/example.ts';
import { households } from './households/example.ts';
import { profiles } from './profiles/example.ts';
import { rails } from './rails/example.ts';
import { saas } from './saas/example.ts';
import { shop } from './shop/example.ts';
import { warehouse } from './warehouse/example.ts';
import { wordpress } from './wordpress/example.ts';

export const EXAMPLES: readonly Example[] = [
  shop,
  saas,
  forum,
  crm,
  django,
  rails,
  wordpress,
  warehouse,
  profiles,
  households,
  chatwoot,
  formbricks,
  calcom,
];
