// Which requests get another run at a target, because a backup of it was restored or it was added later.
import type { EraseAgainCounts } from './forgetting-ports.ts';

export interface EraseAgainFacts {
  readonly isShredded: boolean;
  /** The request has an open task at the target. */
  readonly isOpen: boolean;
  /** The request has identities, submitted or added. */
  readonly isNamed: boolean;
}

export function eraseAgainKind(facts: EraseAgainFacts): keyof EraseAgainCounts {
  if (facts.isShredded) return 'shredded';
  if (facts.isOpen) return 'open';
  return facts.isNamed ? 'runs' : 'nobody';
}
