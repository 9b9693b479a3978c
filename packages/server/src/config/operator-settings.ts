// How operators reach the console and its API, and how they sign in there.
import { origin, orOff, text, wholeNumber } from './kinds.ts';
import { setting } from './setting.ts';

export const OPERATOR_SETTINGS = {
  operatorHost: setting(
    'operator_host',
    text(),
    'Address to listen on for operator_port',
    '127.0.0.1',
  ),
  operatorPort: setting(
    'operator_port',
    orOff(wholeNumber(1, 65_535)),
    'Port for the console and the operator API, which then answer only there, or off: they are on port',
    'off',
  ),
  operatorUrl: setting(
    'operator_url',
    origin,
    'Address at which operators reach the console',
    'public_url, or http://localhost:OPERATOR_PORT',
  ),
} as const;
