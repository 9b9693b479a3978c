// Which requests get another run at a target, because a backup of it was restored or it was added later.
import type { EraseAgainCounts } from './forgetting-ports.ts';

export interface EraseAgainFacts {
  readonly isShredded: boolean;
  /** It has an open task at the target. */
  readonly isOpen: boolean;
  /** It has identities, as submitted or added. */
  readonly isNamed: boolean;
}

export function eraseAgainKind(facts: EraseAgainFacts): keyof EraseAgainCounts {
  if (facts.isShredded) return 'shredded';
  if (facts.isOpen) return 'open';
  return facts.isNamed ? 'runs' : 'nobody';
}
