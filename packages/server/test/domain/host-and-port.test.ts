import { describe, expect, it } from 'vitest';
import { hostAndPort } from '../../src/domain/host-and-port.ts';

describe('host and port of an address', () => {
  it.each([
    ['postgres://u:secret@db.example.com/shop', 'db.example.com:5432'],
    ['postgres://db.example.com:6432/shop', 'db.example.com:6432'],
    ['postgres://u:secret@[::1]/shop', '[::1]:5432'],
    ['postgres:///shop?host=/run/postgresql', '/run/postgresql:5432'],
    ['postgres:///shop', 'localhost:5432'],
    ['no address', undefined],
  ])('are named without its secrets: %s', (address, expected) => {
    expect(hostAndPort(address, 5432)).toBe(expected);
  });
});
