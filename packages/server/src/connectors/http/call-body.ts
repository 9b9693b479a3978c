// The body that the endpoint is sent, as documented in docs/targets-http.md.
import type { EraseOrder, Subject } from '../../domain/target/connector.ts';

export type Action = 'check' | 'preview' | 'erase' | 'verify';

const VERSION = 1;

export function callBody(action: Action, subjects: readonly (Subject | EraseOrder)[]) {
  return { version: VERSION, action, subjects: subjects.map(subjectBody) };
}

export function refOf({ taskNo }: Subject): string {
  return String(taskNo);
}

function subjectBody(subject: Subject | EraseOrder) {
  return {
    ref: refOf(subject),
    controller_id: subject.controllerId,
    subject_request_id: subject.subjectRequestId,
    identities: subject.identities.map((identity) => ({
      type: identity.type,
      value: identity.reveal(),
    })),
    ...('counts' in subject && { expected: subject.counts }),
  };
}
