import type { Evidence } from '../domain/task/task.ts';

const WORDS: Readonly<Record<Evidence['verified'], string>> = {
  requeried: 'searched again: nothing left',
  'reported, not re-queried': 'as the system reported, without a search of our own',
  'stated by the processor': 'as the other processor states that it was passed on to',
  'confirmed by a person': 'confirmed by a person',
  'not applicable': 'nothing to search for',
};

/** How it was made sure that nothing is left, in plain words. */
export const verifiedWords = (verified: Evidence['verified']) => WORDS[verified] ?? verified;
