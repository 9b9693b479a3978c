/** UUID version 4, RFC 9562 variant, 36 characters, in either case. */
export const UUID_V4_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';

const UUID_V4 = new RegExp(UUID_V4_PATTERN);

declare const brand: unique symbol;
export type SubjectRequestId = string & { readonly [brand]: 'SubjectRequestId' };

export function isSubjectRequestId(text: string): text is SubjectRequestId {
  return UUID_V4.test(text);
}
