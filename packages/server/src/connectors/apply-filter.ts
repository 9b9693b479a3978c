import { createHash } from 'node:crypto';
import type { ApplyFilter, FILTERS } from '../domain/recipe/placeholders.ts';

const HOW: Readonly<Record<(typeof FILTERS)[number], (text: string) => string>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  md5: (text) => createHash('md5').update(text).digest('hex'),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
};

export const applyFilter: ApplyFilter = (filter, text) =>
  HOW[filter as (typeof FILTERS)[number]](text);
