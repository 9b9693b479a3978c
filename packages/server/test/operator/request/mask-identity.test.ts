import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { maskIdentity } from '../../../src/operator/request/mask-identity.ts';

it.each([
  ['email', 'jane.doe@shop.example.com', 'j•••@•••.com'],
  ['email', 'jan@example.com', '•••@•••.com'],
  ['email', 'nobody', '•••@•••'],
  ['controller_customer_id', '123456789', '•••89'],
  ['controller_customer_id', '12345678', '•••'],
  ['controller_customer_id', '12', '•••'],
] as const)('the %s %s is shown as %s', (type, value, masked) => {
  expect(maskIdentity(new Identity(type, value))).toBe(masked);
});
