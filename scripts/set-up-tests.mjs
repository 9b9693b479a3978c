// What tests need that is not in the repository.
import { buildConsole } from './build-console.mjs';
import { install } from './run.mjs';
import { installParts } from './test-parts.mjs';

export function setUpTests() {
  install();
  installParts();
  buildConsole();
}
