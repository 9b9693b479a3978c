// OpenDSR 2.0 as published. The numbers are those of its sections.
import { cancelRules } from '../both/cancel.ts';
import { createRules } from '../both/create.ts';
import { statusRules } from '../both/status.ts';
import { type Check, checksOf } from '../check.ts';
import { certificateChecks } from './certificate.ts';
import { discoveryChecks } from './discovery.ts';
import { requestChecks } from './requests.ts';
import { signatureChecks } from './signatures.ts';

export const OPENDSR_CHECKS: readonly Check[] = [
  ...discoveryChecks,
  ...certificateChecks,
  ...checksOf('opendsr', createRules),
  ...requestChecks,
  ...checksOf('opendsr', statusRules),
  ...checksOf('opendsr', cancelRules),
  ...signatureChecks,
];

/** What cannot be seen with credentials alone, or contradicts itself in the text. */
export const OPENDSR_NOT_TESTED: readonly (readonly [string, string])[] = [
  [
    '3.1',
    'the path /status is named there; section 8.1 defines the status at /requests/{id}, which is tested',
  ],
  ['4.2', 'how keys are generated (FIPS 186-4)'],
  ['8.5 to 8.7', 'callbacks: the kit has no address that a processor could call'],
  ['10', 'that there is no throttling in normal operation'],
];
