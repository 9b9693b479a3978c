import { describe, expect, it } from 'vitest';
import { tenantValue } from '../../../src/domain/target/tenant-value.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';

const of = (values: Record<string, string>, id: string) => tenantValue(values, id as ControllerId);

describe('the tenant value of a controller', () => {
  it('is what the operator wrote, or the id itself', () => {
    expect(of({ acme: '42' }, 'acme')).toBe('42');
    expect(of({ acme: '42' }, 'globex')).toBe('globex');
    expect(of({ acme: '42' }, 'constructor')).toBe('constructor');
  });

  it("is missing if the id would be another controller's value", () => {
    expect(of({ acme: 'globex' }, 'globex')).toBeUndefined();
    expect(of({ acme: 'globex', globex: 'acme' }, 'globex')).toBe('acme');
  });
});
