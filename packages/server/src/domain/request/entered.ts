// Requests that an operator entered for a controller, because a letter came in. What one person alone could make up
// must not erase anybody: another operator decides what would make it faster or larger.
import { type Actor, NotPossible } from '../task/operator-ports.ts';

export interface Created {
  readonly subjectRequestId: string;
  /** The actor that submitted it. */
  readonly createdBy: string;
}

export function isEntered({ createdBy }: Pick<Created, 'createdBy'>): boolean {
  return createdBy.startsWith('operator:');
}

/** It was entered by the same operator. */
export class OwnRequest extends NotPossible {}

export function requireAnother(request: Created, { actor }: Actor, what: string): void {
  if (request.createdBy !== actor) return;
  throw new OwnRequest(
    `you entered request ${request.subjectRequestId} yourself: another operator has to ${what}`,
  );
}
