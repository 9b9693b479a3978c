import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useShop } from '../use-shop.ts';

const { unwrite, json, submit, addRows, untilTasks } = useShop();
const id = randomUUID();
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
let paper: string;

beforeAll(async () => {
  addRows('globex', 'jane@example.com', 4);
  await submit('globex', [['email', 'jane@example.com']], id);
  const [first] = await untilTasks(id, 'globex', 'held', 'held');
  paper = String(first?.task);
  await json('task', 'release', id, '--as', 'olga');
  await untilTasks(id, 'globex', 'held', 'erased');
  const why = ['--reason', 'Tax law', '--legal-basis', 'GDPR 17(3)(b)', '--as', 'igor'];
  await json('task', 'retain', paper, ...why);
});

describe('unwrite request show', () => {
  it('prints plan, tasks, evidence and history for people', async () => {
    const { exitCode, stdout, stderr } = await unwrite('request', 'show', id);
    expect([exitCode, stderr]).toEqual([0, '']);
    const [fields, tasks, evidence, history] = stdout.split('\n\n');
    expect(fields).toMatch(/^request_status +completed$/m);
    expect(fields).toMatch(/^plan +shop \(sqlite\), paper \(manual\)$/m);
    expect(tasks).toMatch(/^\d+ +shop +erased +4 +2 +- +erased, requeried$/m);
    expect(tasks).toMatch(/^\d+ +paper +erased .*retained, not applicable \(operator:igor\)$/m);
    expect(evidence).toMatch(/^EVIDENCE OF TASK +TARGET +ACTION +TABLE +ROWS +WHY\n/);
    expect(evidence).toMatch(/^\d+ +shop +deleted +customers +4 +-$/m);
    expect(evidence).toMatch(/^\d+ +paper +retained +- +- +GDPR 17\(3\)\(b\): Tax law$/m);
    expect(history).toMatch(/request\.started +system +plan: \w+; targets: shop, paper$/m);
    expect(history).toMatch(
      /task\.released +operator:olga +target: shop; task: \d+; reason: over_cap; rows: 4$/m,
    );
    expect(history).toMatch(/request\.completed +system +-$/m);
    expect(stdout).not.toContain('jane');
  });

  it('prints the same for scripts', async () => {
    const shown = await json('request', 'show', id);
    expect(shown).toMatchObject({
      subject_request_id: id,
      request_status: 'completed',
      completed_time: ISO,
      plan: [
        { target: 'shop', connector: 'sqlite', digest: expect.stringMatching(/^[0-9a-f]{32}$/) },
        { target: 'paper', connector: 'manual', digest: expect.any(String) },
      ],
      tasks: [
        {
          target: 'shop',
          state: 'erased',
          attempts: 2,
          previewed_rows: 4,
          evidence: { action: 'erased', tables: { customers: { action: 'delete', rows: 4 } } },
        },
        { target: 'paper', evidence: { action: 'retained', by: 'operator:igor' } },
      ],
    });
    const actions = shown.history.map(({ action }: { action: string }) => action);
    // The receipt is signed a moment later.
    expect(actions.filter((action: string) => action !== 'receipt.signed')).toEqual([
      'request.created',
      'request.started',
      'task.held',
      'task.released',
      'task.erased',
      'task.retained',
      'request.completed',
    ]);
    expect(shown.history[3]).toEqual({
      time: ISO,
      action: 'task.released',
      actor: 'operator:olga',
      detail: { target: 'shop', task: expect.any(Number), reason: 'over_cap', rows: 4 },
    });
    expect(JSON.stringify(shown)).not.toContain('jane');
  });
});
