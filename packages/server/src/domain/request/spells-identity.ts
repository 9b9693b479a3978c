// Whether a text contains an identity with other separators: `jane_doe_example_com`, or with blanks.

/** Shorter identities are part of many words. */
const LEAST = 6;

export function spells(text: string, value: string): boolean {
  const bare = withoutSigns(value);
  return bare.length >= LEAST && withoutSigns(text).includes(bare);
}

const withoutSigns = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
