// The operator's short name for a controller, which is the tenant.
declare const brand: unique symbol;
export type ControllerId = string & { readonly [brand]: 'ControllerId' };

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export const CONTROLLER_ID_RULE =
  'a controller id has 1 to 64 characters: lower-case letters, digits, "-" and "_", and begins with a letter or digit';

export function isControllerId(text: string): text is ControllerId {
  return SLUG.test(text);
}
