// `npm run test:fuzz` tries many more.
import { describeGeneratedBodies } from './describe-generated-bodies.ts';

describeGeneratedBodies(Number(process.env.UNWRITE_TEST_FUZZ_RUNS ?? 2000));
