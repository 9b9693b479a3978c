// `npm run test:long -- fuzz` tries many more.
import { fuzzRuns } from '../helpers/fuzz-runs.ts';
import { describeGeneratedConfigs } from './describe-generated-configs.ts';

describeGeneratedConfigs(Math.ceil(fuzzRuns(2000) / 4));
