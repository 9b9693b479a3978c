// `npm run test:long -- fuzz` tries many more.
import { fuzzRuns } from '../../helpers/fuzz-runs.ts';
import { describeGeneratedBodies } from './describe-generated-bodies.ts';

describeGeneratedBodies(fuzzRuns(2000));
