// Node keeps the first of two Host, Authorization or Content-Type headers and hides the second. Two
// parties reading different ones is how requests are smuggled, so the raw list is checked.
import type { IncomingMessage } from 'node:http';

export interface HeaderFindings {
  readonly hosts: number;
  readonly authorizations: number;
  readonly contentTypes: number;
}

export function countHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): HeaderFindings {
  let hosts = 0;
  let authorizations = 0;
  let contentTypes = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // Lengths first: lowering every name of every request would cost more than the rest.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
    else if (name.length === 12 && name.toLowerCase() === 'content-type') contentTypes++;
  }
  return { hosts, authorizations, contentTypes };
}
