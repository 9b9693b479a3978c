// Objects in a store that speaks S3, by keys that have an identity in them: every version, and every delete marker.

import { FOLDING, fillText } from '../../domain/recipe/placeholders.ts';
import type { Identity } from '../../domain/request/identity.ts';
import {
  type CheckLine,
  type Connector,
  type KeyRow,
  TargetDown,
} from '../../domain/target/connector.ts';
import type { S3Objects, S3TargetConfig } from '../../domain/target/target.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import type { Lookup } from '../../outbound/reachable-addresses.ts';
import { applyFilter } from '../apply-filter.ts';
import { CannotDeal, createObjectsConnector } from '../objects-connector.ts';
import { type Bucket, createBucket } from './bucket.ts';

interface Kind extends S3Objects {
  readonly types: readonly [S3Objects['type']];
}

export function createS3Connector(config: S3TargetConfig, lookup?: Lookup): Connector {
  const bucket = createBucket(config, lookup);
  const { hasVersions } = config;
  const keys = new Set(config.objects.map(({ key }) => key));

  async function refuseHiddenVersions(): Promise<void> {
    if (hasVersions || (await bucket.keepsVersions()) !== true) return;
    throw new TargetDown(
      'plan_misfit',
      `${bucket.host} keeps versions of objects in this bucket, and versions: false would leave them; remove it`,
    );
  }

  return createObjectsConnector<Kind>(config, {
    kinds: config.objects.map((objects) => ({ ...objects, types: [objects.type] })),
    check: () => checkBucket(config, bucket, refuseHiddenVersions),
    ...(!hasVersions && { begin: refuseHiddenVersions }),
    async find({ name, key, type }, { identities, controllerId }) {
      const found = new Map<string, KeyRow>();
      const places = identities
        .filter((identity) => identity.type === type)
        .flatMap((identity) => placesOf(key, identity, controllerId));
      for (const place of new Set(places)) {
        const isFolder = place.endsWith('/');
        const rows = await bucket.list(place);
        const isMistaken =
          rows.some(([own]) => own?.startsWith(`${place}/`)) && !isFolder && !keys.has(`${key}/`);
        if (isMistaken) throw namedLikeOne(bucket.host, name);
        for (const row of rows)
          if (isFolder || row[0] === place) found.set(JSON.stringify(row), row);
      }
      return [...found.values()];
    },
    async erase(_, keys) {
      const refused = await bucket.remove(keys);
      if (refused.length === 0) return keys.length;
      throw new CannotDeal({
        outcome: 'held',
        reason: 'refused_elsewhere',
        detail: `${bucket.host} refuses to delete ${refused.length} of ${keys.length} (${[...new Set(refused)].join(', ')}): an Object Lock or a legal hold there, or a missing right; end it and release, or retain`,
      });
    },
    close: () => bucket.close(),
  });
}

/** What is below such a key is the person's, and would be left. */
function namedLikeOne(host: string, name: string): CannotDeal {
  return new CannotDeal({
    outcome: 'failed',
    code: 'plan_misfit',
    detail: `${host} has objects below a key of "${name}" as below a folder; end it with "/", or add a second name whose key does, and reload`,
  });
}

/** As it was sent, and as it is compared: which of them the application has put into keys is not known. */
function placesOf(key: string, identity: Identity, controllerId: ControllerId): string[] {
  return [...new Set([identity.reveal(), identity.matchKey()])].map((value) => {
    // What is below the folder of another person must not be reached.
    if (value.includes('/') || /^\.\.?$/.test(value))
      throw unusable(identity, 'has a "/", or is "." or ".."');
    const fold = (filter: string, text: string): string => {
      const filtered = applyFilter(filter, text);
      const plain = text.replaceAll(/[A-Za-z]+/g, (letters) => applyFilter(filter, letters));
      // Such as the Kelvin sign, which becomes a k: the key would be that of another person.
      if (FOLDING.has(filter) && filtered !== plain)
        throw unusable(identity, `has letters beyond A to Z that "${filter}" changes`);
      return filtered;
    };
    const values = { [identity.type]: value, controller_id: controllerId };
    return fillText(key, values, String, fold);
  });
}

function unusable({ type }: Identity, why: string): CannotDeal {
  return new CannotDeal({
    outcome: 'held',
    reason: 'no_usable_identity',
    detail: `an identity of the type ${type} ${why}, and cannot be a part of a key; erase by hand, then retain`,
  });
}

async function checkBucket(
  { objects, hasVersions, isShared }: S3TargetConfig,
  bucket: Bucket,
  refuseHiddenVersions: () => Promise<void>,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const add = (level: CheckLine['level'], subject: string, message: string) =>
    lines.push({ level, subject, message });
  try {
    await refuseHiddenVersions();
    // A folder of no person: this only tests that listing is allowed.
    await bucket.list('unwrite-check/');
    add(
      'ok',
      'bucket',
      `${bucket.host} lists ${hasVersions ? 'versions' : 'objects'} in the bucket`,
    );
  } catch (error) {
    if (!(error instanceof TargetDown || error instanceof CannotDeal)) throw error;
    add('problem', 'bucket', error.message);
  }
  add(
    'note',
    'delete',
    'whether the account may delete is not tried; docs/targets-s3.md lists the rights',
  );
  if (isShared)
    add(
      'note',
      'tenancy',
      `people of all controllers share the keys ${objects.map(({ key }) => key).join(', ')}`,
    );
  return lines;
}
