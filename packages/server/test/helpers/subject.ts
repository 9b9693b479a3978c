// Requests as a connector sees them.
import { randomUUID } from 'node:crypto';
import type { IdentityType, SubjectRequestId } from '@unwrite/protocol';
import type { Counts, EraseOrder, Keys, Subject } from '../../src/domain/connector.ts';
import type { ControllerId } from '../../src/domain/controller-id.ts';
import { Identity } from '../../src/domain/identity.ts';

/** `identities`: pairs of a type and a value, in the order given. */
export function subjectOf(
  taskNo: number,
  identities: readonly (readonly [IdentityType, string])[],
  controllerId = 'acme',
): Subject {
  return {
    taskNo,
    controllerId: controllerId as ControllerId,
    subjectRequestId: randomUUID() as SubjectRequestId,
    identities: identities.map(([type, value]) => new Identity(type, value)),
  };
}

export function orderOf(subject: Subject, counts: Counts, keys: Keys = {}): EraseOrder {
  return { ...subject, counts, keys };
}
