// Our contract: the Erasure Processor API, docs/api.md. The numbers are those of its parts.
import type { Check } from '../check.ts';
import { authenticationChecks } from './authentication.ts';
import { cancelChecks } from './cancel.ts';
import { createChecks } from './create.ts';
import { discoveryChecks } from './discovery.ts';
import { errorChecks } from './errors.ts';
import { refusalChecks } from './refusals.ts';
import { statusChecks } from './status.ts';

export const CONTRACT_CHECKS: readonly Check[] = [
  ...authenticationChecks,
  ...discoveryChecks,
  ...createChecks,
  ...refusalChecks,
  ...statusChecks,
  ...cancelChecks,
  ...errorChecks,
];
