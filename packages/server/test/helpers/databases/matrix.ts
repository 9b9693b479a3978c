// Tests that exist for each of several databases. A whole `npm test` runs a group of them on one database, fixed by
// the group's title, and `npm run test:long` on the others; where nothing is said, as with `npm test -- path`, on all.
// Two of three groups are run on the first kind: callers name the cheapest first, SQLite, which takes a third of the
// processor time of a server. What differs between databases, the suites in test/contract find on all of them.
import { createHash } from 'node:crypto';

const said = process.env.UNWRITE_TEST_MATRIX;
if (said !== undefined && said !== 'one' && said !== 'others')
  throw new Error('UNWRITE_TEST_MATRIX must be one or others');

export function inMatrix<Kind>(title: string, kinds: readonly Kind[]): readonly Kind[] {
  if (said === undefined || kinds.length < 2) return kinds;
  const others = kinds.length - 1;
  const drawn = createHash('sha256').update(title).digest().readUInt32BE() % (3 * others);
  const place = Math.max(0, drawn - 2 * others + 1);
  return kinds.filter((_, index) => (index === place) === (said === 'one'));
}
