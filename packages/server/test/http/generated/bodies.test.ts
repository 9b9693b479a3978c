import { describeGeneratedBodies } from './describe-generated-bodies.ts';

describeGeneratedBodies(300);
