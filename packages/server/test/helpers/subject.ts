// Requests as a connector sees them.
import { randomUUID } from 'node:crypto';
import type { IdentityType, SubjectRequestId } from '@unwrite/protocol';
import { Identity } from '../../src/domain/request/identity.ts';
import type { Counts, EraseOrder, Keys, Subject } from '../../src/domain/target/connector.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';

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
