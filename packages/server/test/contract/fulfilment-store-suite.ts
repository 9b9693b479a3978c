// What every store must do for fulfilment and for operators. A store passes when
// describeFulfilmentStore does.
import { describe } from 'vitest';
import { casesOfAttention } from './fulfilment/attention-cases.ts';
import { casesOfErasingAgain } from './fulfilment/erasing-again-cases.ts';
import { casesOfForgedRestores } from './fulfilment/forged-restores-cases.ts';
import { casesOfForgedRows } from './fulfilment/forged-rows-cases.ts';
import { casesOfForgedStates } from './fulfilment/forged-states-cases.ts';
import { casesOfForgedStatus } from './fulfilment/forged-status-cases.ts';
import { casesOfForgetting } from './fulfilment/forgetting-cases.ts';
import { casesOfLeasing } from './fulfilment/leasing-cases.ts';
import { casesOfLegalHolds } from './fulfilment/legal-hold-cases.ts';
import { casesOfOrder } from './fulfilment/order-cases.ts';
import { casesOfOutcomes } from './fulfilment/outcomes-cases.ts';
import { casesOfPausesAndLimits } from './fulfilment/pause-and-limit-cases.ts';
import { casesOfReleasingAll } from './fulfilment/release-all-cases.ts';
import { casesOfRequestOperators } from './fulfilment/request-operator-cases.ts';
import { casesOfRestores } from './fulfilment/restores-cases.ts';
import { casesOfStarting } from './fulfilment/starting-cases.ts';
import { casesOfTaskOperators } from './fulfilment/task-operator-cases.ts';
import type { OpenFulfilmentStore } from './fulfilment/under-test.ts';
import { useStore } from './fulfilment/use-store.ts';

export function describeFulfilmentStore(name: string, openStore: OpenFulfilmentStore): void {
  describe(`fulfilment in ${name}`, () => {
    const use = useStore(openStore);
    describe('starting', () => casesOfStarting(use));
    describe('states that somebody else wrote', () => casesOfForgedStates(use));
    describe('rows that somebody else wrote', () => casesOfForgedRows(use));
    describe('a status that somebody else wrote', () => casesOfForgedStatus(use));
    describe('leasing', () => casesOfLeasing(use));
    describe('pauses and limits', () => casesOfPausesAndLimits(use));
    describe('legal holds', () => casesOfLegalHolds(use));
    describe('restores', () => casesOfRestores(use));
    describe('forged restores', () => casesOfForgedRestores(use));
    describe('outcomes', () => casesOfOutcomes(use));
    describe('operators, on tasks', () => casesOfTaskOperators(use));
    describe('operators, on all tasks', () => casesOfReleasingAll(use));
    describe('operators, on requests', () => casesOfRequestOperators(use));
    describe('attention', () => casesOfAttention(use));
    describe('shredding and forgetting', () => casesOfForgetting(use));
    describe('erasing again', () => casesOfErasingAgain(use));
    describe('the order of targets', () => casesOfOrder(use));
  });
}
