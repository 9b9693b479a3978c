// What someone with write access to the database, and no key, can do to restores and to the list of what they have lost.
import { expect, it } from 'vitest';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { Finding } from '../../../src/domain/store/restore.ts';
import { BY, commandFor, HOUR, planned, START } from './under-test.ts';
import type { UseStore } from './use-store.ts';

const SYSTEM = { actor: 'system', now: BY.now };
const cancelled = ({ controllerId, subjectRequestId }: RequestKey): Finding => ({
  what: 'cancelled',
  time: START,
  controllerId,
  subjectRequestId,
  source: 'node-1',
});

export function casesOfForgedRestores(use: UseStore): void {
  async function review(): Promise<void> {
    const { restores } = use().under;
    await restores.reviewed({ added: 0, requests: await restores.findings() }, BY);
  }

  const forge = (request: RequestKey) =>
    `INSERT INTO @restore_findings
       (what, controller_id, subject_request_id, time, source)
     VALUES ('cancelled', '${request.controllerId}', '${request.subjectRequestId}', ${START},
       'node-1')`;

  it('does nothing about a request that someone else has put onto the list, and confirms the rest', async () => {
    const { under, scene } = use();
    const [lost, other] = [await scene.create(), await scene.create()];
    await under.restores.declare('a test', SYSTEM);
    await under.restores.addFindings([cancelled(lost)]);
    await review();
    await under.tamper(forge(other));
    const listed = await under.restores.findings();
    expect(new Map(listed.map((it) => [it.subjectRequestId, [it.isOurs, it.isToCancel]]))).toEqual(
      new Map([
        [lost.subjectRequestId, [true, true]],
        [other.subjectRequestId, [false, false]],
      ]),
    );
    expect(await under.restores.confirm(false, BY)).toBe(1);
    expect(await scene.statusOf(lost)).toBe('cancelled');
    expect(await scene.statusOf(other)).toBe('pending');
    expect(await under.audit(other)).toEqual([]);
  });

  it.each([
    ['no UUID', "subject_request_id = 'nobody'"],
    ['a time that no clock shows', 'time = 9223372036854775807'],
    ['an unknown event', "what = 'praised'"],
  ])(
    'are confirmed though someone else has put an entry with %s onto the list',
    async (_, change) => {
      const { under, scene } = use();
      const [lost, other] = [await scene.create(), await scene.create()];
      await under.restores.declare('a test', SYSTEM);
      await under.restores.addFindings([cancelled(lost)]);
      await review();
      await under.tamper(forge(other));
      const { subjectRequestId: id } = other;
      await under.tamper(
        `UPDATE @restore_findings SET ${change} WHERE subject_request_id = '${id}'`,
      );
      expect(await under.restores.findings()).toHaveLength(2);
      expect(await under.restores.confirm(false, BY)).toBe(1);
      expect(await scene.statusOf(other)).toBe('pending');
    },
  );

  it('does nothing about an entry of an earlier restore, or one that was changed to name another request', async () => {
    const { under, scene } = use();
    const [lost, other] = [await scene.create(), await scene.create()];
    await under.restores.declare('a test', SYSTEM);
    await under.restores.addFindings([cancelled(lost), cancelled(other)]);
    const { controllerId, subjectRequestId } = other;
    await under.tamper('CREATE TABLE kept AS SELECT * FROM @restore_findings');
    await under.tamper(
      `DELETE FROM @restore_findings WHERE subject_request_id = '${subjectRequestId}'`,
    );
    await under.tamper(
      `UPDATE @restore_findings SET subject_request_id = '${subjectRequestId}'
       WHERE controller_id = '${controllerId}'`,
    );
    expect(await under.restores.confirm(true, BY)).toBe(0);
    await under.restores.declare('again', { ...SYSTEM, now: SYSTEM.now + HOUR });
    await under.tamper('INSERT INTO @restore_findings SELECT * FROM kept');
    expect(await under.restores.findings()).toMatchObject([{ isOurs: false }, { isOurs: false }]);
    expect(await under.restores.confirm(true, BY)).toBe(0);
    expect(await Promise.all([lost, other].map(scene.statusOf))).toEqual(['pending', 'pending']);
  });

  it('takes an entry of ours in the place of one whose MAC was removed', async () => {
    const { under, scene } = use();
    const lost = await scene.create();
    await under.restores.declare('a test', SYSTEM);
    await under.restores.addFindings([cancelled(lost)]);
    await review();
    await under.tamper('UPDATE @restore_findings SET mac = NULL');
    expect(await under.restores.confirm(false, BY)).toBeUndefined();
    expect(await under.restores.addFindings([cancelled(lost)])).toBe(1);
    await review();
    expect(await under.restores.confirm(false, BY)).toBe(1);
    expect(await scene.statusOf(lost)).toBe('cancelled');
  });

  it('are declared again as the log says where someone else has changed when they were noticed', async () => {
    const { under, scene, clock } = use();
    await under.restores.declare('a test', { ...SYSTEM, now: clock.now });
    clock.now += HOUR;
    const again = await scene.create();
    await under.restores.addFindings([cancelled(again)]);
    await under.tamper(`UPDATE @restores SET detected_time = ${9e12}`);
    expect(await under.restores.restores()).toEqual([]);
    expect((await under.restores.state()).openNo).not.toBeNull();
    expect(await under.restores.restores()).toMatchObject([{ detectedTime: clock.now - HOUR }]);
    await under.restores.addFindings([cancelled(again)]);
    expect(await under.restores.confirm(true, { ...BY, now: clock.now })).toBe(0);
    expect(await scene.statusOf(again)).toBe('pending');
    expect((await under.restores.state()).openNo).toBeNull();
  });

  it.each([
    ['open', 'restore_no', 77, 'NULL'],
    ['open', 'restore_no', '9223372036854775807', 'NULL'],
    ['open', 'detected_time', '9223372036854775807', 'NULL'],
    ['open', 'last_head_no', '9223372036854775807', 'NULL'],
    ['open', 'reviewed_time', '9223372036854775807', 'NULL'],
    ['confirmed', 'restore_no', '9223372036854775807', '1'],
    ['confirmed', 'confirmed_time', '9223372036854775807', '1'],
  ])(
    'that someone else has declared and made %s, with %s %s, stop nothing',
    async (_, column, number, confirmed) => {
      const { under, scene, clock } = use();
      const due = await scene.due(await scene.create());
      await under.tamper(
        `INSERT INTO @restores (restore_no, detected_time, detected_by, reason, last_head_no, confirmed_time)
       VALUES (7, ${START}, 'system', 'forged', 0, ${confirmed})`,
      );
      await under.tamper(`UPDATE @restores SET ${column} = ${number}`);
      await under.restores.state();
      expect(await under.restores.state()).toMatchObject({ openNo: null, lastNo: null });
      expect(await under.restores.restores()).toEqual([]);
      expect(await under.store.startRequests([commandFor(due, [planned('crm')])], clock.now)).toBe(
        1,
      );
      // A real one is declared and confirmed as ever.
      expect(await under.restores.declare('a test', SYSTEM)).toBe(true);
      expect(await under.restores.confirm(true, BY)).toBe(0);
    },
  );
}
