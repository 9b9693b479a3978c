/** Why an operator has to decide. */
export const HOLD_REASONS = [
  'over_cap',
  'more_than_previewed',
  'unplanned_change',
  'statements_disagree',
  'ambiguous_reference',
  /** A unique key leads to a row that has no tenant, or another one. */
  'tenant_mismatch',
  /** Nothing was found, and no row has the tenant of the controller. */
  'unknown_tenant',
  /** A row is also tied to a person outside the request, and the plan does not say what to do then. */
  'shared',
  /** A row that was to be erased still exists, but its parent is gone. */
  'orphaned',
  /** The transaction of an earlier attempt stays open: it can still commit. */
  'transaction_open',
  /** A value could not be overwritten: it is not JSON, or a trigger keeps it. */
  'not_overwritten',
  'too_many_resolved',
  /** The request was planned with a lookup here, and the configuration has none. */
  'lookup_removed',
  /** Rows are found only by a looked-up identity that the lookup does not give any more. */
  'unproven_identity',
  'no_usable_identity',
  'preview_mode',
  'manual',
  'target_removed',
  /** Another processor has cancelled what was forwarded to it, or a store keeps what was to be deleted. */
  'refused_elsewhere',
] as const;

export type HoldReason = (typeof HOLD_REASONS)[number];
