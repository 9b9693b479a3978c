import type { Check } from '../check.ts';
import { Violation } from '../findings.ts';
import { bodyOf, requireMember, requireStatus } from '../requirements.ts';

const TYPES = [
  'controller_customer_id',
  'android_advertising_id',
  'android_id',
  'email',
  'fire_advertising_id',
  'ios_advertising_id',
  'ios_vendor_id',
  'microsoft_advertising_id',
  'microsoft_publisher_id',
  'roku_publisher_id',
  'roku_advertising_id',
];
const FORMATS = ['raw', 'sha1', 'md5', 'sha256'];
const REQUEST_TYPES = ['access', 'portability', 'erasure'];

export const discoveryChecks: readonly Check[] = [
  {
    id: 'opendsr.version_in_url',
    clause: 'OpenDSR 3.4',
    level: 'MUST',
    rule: 'has the major version at the start of its URLs, such as /v2/discovery',
    async run({ baseUrl }) {
      if (/^\/v\d+(\/|$)/.test(baseUrl.pathname)) return;
      throw new Violation(`the base address has the path ${baseUrl.pathname}, without a version`);
    },
  },
  {
    id: 'opendsr.discovery.status',
    clause: 'OpenDSR 6',
    level: 'MUST',
    rule: 'answers GET /discovery with 200',
    run: async (kit) => requireStatus(await kit.discovery(), 200),
  },
  {
    id: 'opendsr.discovery.api_version',
    clause: 'OpenDSR 6.3',
    level: 'MUST',
    rule: 'has api_version in discovery',
    run: async (kit) => requireMember(await kit.discovery(), 200, 'api_version', 'string'),
  },
  {
    id: 'opendsr.discovery.identities',
    clause: 'OpenDSR 5.1, 5.2, 6.3',
    level: 'MUST',
    rule: 'lists pairs of identity_type and identity_format that OpenDSR knows',
    async run(kit) {
      const discovery = await kit.discovery();
      requireMember(discovery, 200, 'supported_identities', 'array');
      const listed = bodyOf(discovery, 200).supported_identities as Record<string, unknown>[];
      const strange = listed.find(
        (it) =>
          !TYPES.includes(String(it?.identity_type)) ||
          !FORMATS.includes(String(it?.identity_format)),
      );
      if (strange !== undefined) {
        throw new Violation(`${JSON.stringify(strange)} is not known in OpenDSR`, discovery);
      }
    },
  },
  {
    id: 'opendsr.discovery.request_types',
    clause: 'OpenDSR 6.2, 6.3',
    level: 'MUST',
    rule: 'lists request types that OpenDSR knows',
    async run(kit) {
      const discovery = await kit.discovery();
      const name = 'supported_subject_request_types';
      requireMember(discovery, 200, name, 'array');
      const listed = bodyOf(discovery, 200)[name] as unknown[];
      const strange = listed.find((it) => !REQUEST_TYPES.includes(String(it)));
      if (strange === undefined && listed.length > 0) return;
      throw new Violation(`${name} must list some of: ${REQUEST_TYPES.join(', ')}`, discovery);
    },
  },
  {
    id: 'opendsr.discovery.certificate',
    clause: 'OpenDSR 6.3',
    level: 'MUST',
    rule: 'names the address of its certificate in discovery',
    run: async (kit) =>
      requireMember(await kit.discovery(), 200, 'processor_certificate', 'string'),
  },
];
