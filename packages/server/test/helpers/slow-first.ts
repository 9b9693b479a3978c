// The order of test files: the slowest first, so that at the end no core waits for one of them. Vitest would begin with the
// largest files, as long as it has no times of an earlier run; but the slowest are short ones that call a suite.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** As `node scripts/test-times.mjs` prints them, npm test's and then those of npm run test:long. */
const SLOW = [
  'console/console.test',
  'docs/run-commands.test',
  'contract/fulfilment-store.test',
  'surgery/surgery.test',
  'histories/histories.test',
  'contract/',
  'crash/',
  'find/identities.test',
  'cli/store/',
  'cli/server/',
  'module/isolation.test',
  'opendsr/test/docs.test',
  'http/operator/',
  'histories/histories.long',
  'surgery/surgery.long',
  'crash/postgres/',
  'e2e/',
  'nodes/',
  'hostile/',
  'soak/',
];

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = SLOW.findIndex((part) => moduleId.includes(`/${part}`));
      return place === -1 ? SLOW.length : place;
    };
    return others.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
