import { formatTimestamp } from '@unwrite/protocol';
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';

export interface RequestTimes {
  readonly received: string;
  readonly expected: string;
}

let last: (RequestTimes & { readonly of: number }) | undefined;

/** Both times of a request as text. Requests of one transaction share theirs, so the last is kept. */
export function requestTimes(receivedTime: number): RequestTimes {
  if (last?.of === receivedTime) return last;
  last = {
    of: receivedTime,
    received: formatTimestamp(receivedTime),
    expected: formatTimestamp(expectedCompletion(receivedTime)),
  };
  return last;
}
