// Notes of operators end in evidence and receipts, which never hold an identity.

import type { Installation } from '../compose.ts';
import { openForRequest } from '../compose-vault.ts';
import type { RequestKey } from '../domain/request.ts';
import { CommandFailure, EXIT_USAGE } from './failure.ts';

export function refuseIdentitiesIn(
  texts: readonly string[],
  installation: Installation,
  request: RequestKey,
): void {
  if (texts.some((text) => text.trim() === '')) {
    throw new CommandFailure('the text must not be empty', EXIT_USAGE);
  }
  const said = texts.join('\n').toLowerCase();
  const named = openForRequest(installation, request).some((identity) => {
    const value = identity.reveal().toLowerCase();
    return value.length > 2 && said.includes(value);
  });
  if (named) {
    throw new CommandFailure(
      'the text names the person; evidence and receipts must not. Say it without the identity',
      EXIT_USAGE,
    );
  }
}
