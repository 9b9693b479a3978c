// Whether two targets are on one database and may be asked for the same request.
import type { TargetConfig } from '../../domain/target/target.ts';

export function sharesDatabaseAndController(one: TargetConfig, other: TargetConfig): boolean {
  return isAtSamePlace(one, other) && sharesController(one, other);
}

/** The first part of the digest says where the rows are. */
export function isAtSamePlace(one: TargetConfig, other: TargetConfig): boolean {
  return one.planDigest.split('-')[0] === other.planDigest.split('-')[0];
}

/** Whether both may be asked for the same request. */
export function sharesController(one: TargetConfig, other: TargetConfig): boolean {
  const [ours, theirs] = [controllersOf(one), controllersOf(other)];
  return ours === null || theirs === null || ours.some((controller) => theirs.includes(controller));
}

/** The controllers with listed tenants; another controller finds nothing there. */
function controllersOf({ controllers, ...target }: TargetConfig): readonly string[] | null {
  if (controllers !== null || !('tenancy' in target) || target.tenancy.way !== 'column')
    return controllers;
  const listed = Object.keys(target.tenancy.values);
  return listed.length === 0 ? null : listed;
}
