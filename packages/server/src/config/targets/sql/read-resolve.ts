// `resolve`: one identity looked up from another.
import { IDENTITY_TYPES, type IdentityType } from '@unwrite/protocol';
import type { ResolveConfig, Tenancy } from '../../../domain/target/target.ts';
import { wholeNumber } from '../../kinds.ts';
import type { Fields } from '../fields.ts';
import { name } from '../read-names.ts';
import { readWhere } from './read-where.ts';

export const resolveLimit = wholeNumber(1, 1000);

export function readResolve(target: Fields, tenancy: Tenancy): ResolveConfig | null {
  if (!target.has('resolve')) return null;
  const resolve = target.below('resolve');
  resolve.refuseOthersThan(['table', 'where', 'from', 'to', 'limit']);
  if (tenancy.way === 'parameter') {
    target.problem(
      'resolve',
      'is not possible where only parameters in sql tell controllers apart; use a target with tenant_column for it',
    );
  }
  const [from, to] = [readEnd(resolve, 'from'), readEnd(resolve, 'to')];
  if (from.column !== '' && from.type === to.type && from.column === to.column) {
    resolve.problem('to', 'must be another column than "from"');
  }
  const where = readWhere(resolve);
  return {
    table: resolve.need('table', name, ''),
    ...(where !== undefined && { where }),
    from,
    to,
    limit: resolve.read('limit', resolveLimit, 20),
  };
}

function readEnd(resolve: Fields, end: 'from' | 'to'): { type: IdentityType; column: string } {
  const fields = resolve.below(end);
  fields.refuseOthersThan(IDENTITY_TYPES);
  const given = IDENTITY_TYPES.filter((type) => fields.has(type));
  const [type = 'email'] = given;
  if (given.length !== 1) {
    resolve.problem(end, `must be one of ${IDENTITY_TYPES.join(', ')} with its column`);
    return { type, column: '' };
  }
  return { type, column: fields.need(type, name, '') };
}
