// Serialises subjects and orders for the process of a module. Values are in plain text only there: the
// channel is a socket between the two processes.
import { Identity } from '../../domain/request/identity.ts';
import type { Subject } from '../../domain/target/connector.ts';
import { deeplyFrozenSubjects } from '../../domain/target/frozen-subjects.ts';
import type { SentIdentity, SentSubject } from './module-messages.ts';

export function sendSubjects(subjects: readonly Subject[]): SentSubject[] {
  return subjects.map(({ identities, lookedUp, unproven: _, ...subject }) => ({
    ...subject,
    identities: identities.map(sendIdentity),
    ...(lookedUp !== undefined && { lookedUp: lookedUp.map(sendIdentity) }),
  }));
}

export function receiveSubjects(sent: readonly SentSubject[]): readonly Subject[] {
  return deeplyFrozenSubjects(
    sent.map(({ identities, lookedUp, ...subject }) => ({
      ...subject,
      identities: identities.map(receiveIdentity),
      ...(lookedUp !== undefined && { lookedUp: lookedUp.map(receiveIdentity) }),
    })),
  );
}

function sendIdentity(identity: Identity): SentIdentity {
  return { type: identity.type, value: identity.reveal() };
}

function receiveIdentity({ type, value }: SentIdentity): Identity {
  return new Identity(type, value);
}
