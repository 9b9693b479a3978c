import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpConnector } from '../../../src/connectors/http/create-http-connector.ts';
import type { EndpointDeps } from '../../../src/connectors/http/endpoint.ts';
import { subjectOf } from '../../helpers/subject.ts';
import { type EndpointServer, httpTarget, startEndpoint } from './endpoint-server.ts';
import { CERTIFICATE } from './localhost-certificate.ts';

const anna = subjectOf(1, [['email', 'anna@example.com']]);
const answer = () => ({ subjects: [{ ref: '1', found: {} }] });

let server: EndpointServer | undefined;
afterEach(() => server?.close());

async function startAt(address: (port: number) => string, isTls = false) {
  server = await startEndpoint(answer, isTls);
  return address(server.port);
}

type AllowPrivate = boolean | readonly string[];

function preview(url: string, allowPrivate: AllowPrivate, deps: EndpointDeps = {}) {
  return createHttpConnector(httpTarget(url, { allowPrivate, timeout: 20_000 }), deps).preview([
    anna,
  ]);
}

describe('by default the operator’s own network is out of reach', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
  ])('%s is blocked before anything is sent', async (template) => {
    const url = await startAt((port) => template.replace('PORT', String(port)));

    const error = await preview(url, false).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ name: 'TargetDown', code: 'address_blocked' });
    expect((error as Error).message).toContain(new URL(url).host);
    expect((error as Error).message).toContain('allow_private');
    expect(server?.calls).toHaveLength(0);
  });

  it('a host name that resolves to it is blocked', async () => {
    const url = await startAt((port) => `https://crm.example:${port}/`);
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];

    await expect(preview(url, false, { lookup })).rejects.toMatchObject({
      code: 'address_blocked',
    });
    expect(server?.calls).toHaveLength(0);
  });

  it('a host name that would resolve to it only the second time is resolved once', async () => {
    const url = await startAt((port) => `https://crm.example:${port}/`);
    let asked = 0;
    const lookup = async () => [
      // Allowed at first, and nobody listens there.
      asked++ === 0 ? { address: '127.0.0.2', family: 4 } : { address: '127.0.0.1', family: 4 },
    ];

    await expect(preview(url, ['127.0.0.2'], { lookup })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`${new URL(url).host} cannot be reached (`),
    });
    expect(asked).toBe(1);
    expect(server?.calls).toHaveLength(0);
  });

  it('only the allowed ones of several addresses are tried', async () => {
    const url = await startAt((port) => `http://crm.example:${port}/`);
    const lookup = async () => [
      { address: '10.0.0.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];

    expect(await preview(url, ['127.0.0.0/8'], { lookup })).toMatchObject([{ outcome: 'found' }]);
  });
});

describe('what the operator allows', () => {
  it.each<[string, AllowPrivate]>([
    ['everything', true],
    ['one address', ['127.0.0.1']],
    ['a network', ['10.0.0.0/8', '127.0.0.0/8']],
  ])('is reached, also by plain http: %s', async (_, allowPrivate) => {
    const url = await startAt((port) => `http://127.0.0.1:${port}/`);

    expect(await preview(url, allowPrivate)).toMatchObject([{ outcome: 'found' }]);
  });

  it('covers the mapped spelling of the same address', async () => {
    const url = await startAt((port) => `http://[::ffff:127.0.0.1]:${port}/`);

    expect(await preview(url, ['127.0.0.1'])).toMatchObject([{ outcome: 'found' }]);
  });

  it('does not cover neighbouring addresses', async () => {
    const url = await startAt((port) => `http://127.0.0.1:${port}/`);

    await expect(preview(url, ['127.0.0.2', '10.0.0.0/8'])).rejects.toMatchObject({
      code: 'address_blocked',
    });
  });

  it('must be addresses or networks', () => {
    expect(() =>
      createHttpConnector(httpTarget('https://crm.example/', { allowPrivate: ['lan'] })),
    ).toThrow('"lan" is not an address or network');
  });
});

describe('on the way', () => {
  it('plain http to a public address is refused, with the reason', async () => {
    const lookup = async () => [{ address: '93.184.215.14', family: 4 }];

    await expect(preview('http://crm.example/', false, { lookup })).rejects.toMatchObject({
      code: 'address_blocked',
      message: expect.stringContaining('use https'),
    });
  });

  it('a certificate without a trusted authority is refused', async () => {
    const url = await startAt((port) => `https://localhost:${port}/`, true);

    await expect(preview(url, true)).rejects.toMatchObject({ code: 'certificate_refused' });
    expect(server?.calls).toHaveLength(0);
  });

  it('a trusted certificate is accepted only for its own name', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    try {
      const url = await startAt((port) => `https://localhost:${port}/`, true);
      const lookup = async () => [{ address: '127.0.0.1', family: 4 }];

      expect(await preview(url, true, { lookup })).toMatchObject([{ outcome: 'found' }]);
      const other = url.replace('localhost', 'crm.example');
      await expect(preview(other, true, { lookup })).rejects.toMatchObject({
        code: 'certificate_refused',
      });
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it('a name that does not exist, or a resolver that hangs, is reported as such', async () => {
    const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const lookup = () => Promise.reject(notFound);
    await expect(preview('https://crm.example/', true, { lookup })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ENOTFOUND'),
    });

    const hanging = createHttpConnector(httpTarget('https://crm.example/', { timeout: 50 }), {
      lookup: () => new Promise(() => undefined),
    });
    await expect(hanging.preview([anna])).rejects.toMatchObject({ code: 'timeout' });
  });

  it('a port without a listener is reported as unreachable', async () => {
    const url = await startAt((port) => `http://127.0.0.1:${port}/`);
    await server?.close();

    await expect(preview(url, true)).rejects.toMatchObject({ code: 'unreachable' });
  });
});
