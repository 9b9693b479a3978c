import { describeGeneratedConfigs } from './describe-generated-configs.ts';

describeGeneratedConfigs(100);
