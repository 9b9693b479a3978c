// What a target is told to erase: only what a request that has started names, never while erasing is paused, and
// no more than the limits or a person's release let.
import { type EraseOrder, totalOf } from '../../../src/domain/target/connector.ts';
import type { LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import type { System, SystemEvents } from '../system/system.ts';
import { MAX_ROWS } from '../system/targets.ts';
import { emailsOf, requestName } from '../system/world.ts';
import { holdOn } from './legal-holds.ts';
import { isPausedAt, type Model, Violation } from './model.ts';

const DAY = 86_400_000;

/** Thrown inside of the system, a violation would be taken for a failure of the target: it is kept. */
export function watchOrders(model: Model, system: () => System) {
  const violations: Violation[] = [];
  const complain = (text: string) => violations.push(new Violation(text));

  function checkOrder(target: string, order: EraseOrder): void {
    const request = model.requests.get(requestName(order));
    if (request === undefined) {
      complain(`an unknown request is erased at ${target}`);
      return;
    }
    if (request.isCancelled) complain(`request ${request.name} is cancelled, and erased`);
    const asked = emailsOf(order.identities);
    const hold = holdOn(model, { ...request, emails: [...request.emails, ...asked] });
    if (hold !== undefined)
      complain(`legal hold ${hold.holdNo} is on ${request.name}, and it is erased`);
    const unknown = asked.filter(
      (email) => !request.emails.includes(email) && !email.startsWith('old.'),
    );
    if (unknown.length > 0) complain(`request ${request.name} never named ${unknown}`);
    const rows = totalOf(order.counts);
    const released = model.released.get(order.taskNo);
    if (typeof released === 'number') {
      if (rows > released) complain(`${released} rows were released, and ${rows} are erased`);
      return;
    }
    const { mode } =
      system()
        .targets()
        .find(({ name }) => name === target) ?? {};
    if (mode === 'preview') complain(`${target} only previews, and ${rows} rows are erased`);
    if (rows > MAX_ROWS) complain(`${rows} rows are erased without a release`);
  }

  const events: SystemEvents = {
    onLease(batch: LeasedBatch, worker) {
      const time = system().clock.now;
      if (isPausedAt(model, batch.target))
        complain(`${batch.target} is paused, and a batch begins`);
      for (const { taskNo } of batch.tasks) model.leases.set(taskNo, { worker, time });
    },
    onMayErase(worker, target) {
      const day = Math.floor(system().clock.now / DAY);
      model.lastLook.set(`${worker} ${target}`, { isPaused: isPausedAt(model, target), day });
    },
    onErase(worker, target, orders) {
      const last = model.lastLook.get(`${worker} ${target}`);
      if (last === undefined) complain(`${worker} erases at ${target} without looking at pauses`);
      else if (last.isPaused && isPausedAt(model, target))
        complain(`${target} is paused, and erased`);
      for (const order of orders) {
        checkOrder(target, order);
        const isLimited = system().choices().rowsPerDay !== null;
        if (
          last !== undefined &&
          isLimited &&
          typeof model.released.get(order.taskNo) !== 'number'
        ) {
          model.dayOfTask.set(order.taskNo, last.day);
        } else model.dayOfTask.delete(order.taskNo);
      }
    },
  };

  return {
    events,
    check(): void {
      const [first] = violations;
      if (first !== undefined) throw first;
      checkRowsOfDays();
    },
  };

  function checkRowsOfDays(): void {
    const { world, choices } = system();
    const { rowsPerDay } = choices();
    if (rowsPerDay === null) return;
    const rows = new Map<string, number>();
    for (const { target, gone } of world.rows) {
      const day = gone?.taskNo && model.dayOfTask.get(gone.taskNo);
      if (!day) continue;
      const name = `${target} on day ${day}`;
      rows.set(name, (rows.get(name) ?? 0) + 1);
      if ((rows.get(name) ?? 0) > rowsPerDay) complain(`more than ${rowsPerDay} rows at ${name}`);
    }
  }
}
