// Our contract: the Erasure Processor API, docs/api.md. The numbers are those of its parts.
import { cancelRules } from '../both/cancel.ts';
import { createRules } from '../both/create.ts';
import { statusRules } from '../both/status.ts';
import { type Check, checksOf } from '../check.ts';
import { acceptedChecks } from './accepted.ts';
import { authenticationChecks } from './authentication.ts';
import { discoveryChecks } from './discovery.ts';
import { errorChecks } from './errors.ts';
import { refusalChecks } from './refusals.ts';

export const CONTRACT_CHECKS: readonly Check[] = [
  ...authenticationChecks,
  ...discoveryChecks,
  ...checksOf('contract', createRules),
  ...acceptedChecks,
  ...refusalChecks,
  ...checksOf('contract', statusRules),
  ...checksOf('contract', cancelRules),
  ...errorChecks,
];
