import { DEFAULT_STORE } from '../../helpers/stores/test-store.ts';
import { describeRestoredStore } from './describe-restored-store.ts';

describeRestoredStore(DEFAULT_STORE);
