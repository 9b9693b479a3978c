import type { LookingUp, TargetConfig } from './target.ts';

/** Whether the target looks identities up (`resolve`). */
export const looksUp = (target: TargetConfig): target is LookingUp =>
  'resolve' in target && target.resolve !== null;
