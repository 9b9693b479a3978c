// Finds unknown names: "cancelation_window is not a setting; did you mean cancellation_window?"

import { didYouMean } from '../domain/did-you-mean.ts';

export function unknownNames(
  given: Record<string, unknown>,
  known: readonly string[],
  prefix = '',
): string[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => `${prefix}${name} is not a setting${didYouMean(name, known)}`);
}
