// node scripts/sbom.mjs: a bill of materials of what production needs, CycloneDX as JSON, on standard output.
// node scripts/sbom.mjs --dev > unwrite.cdx.json: with what development needs, too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeSbom } from './make-sbom.mjs';
import { ROOT } from './run.mjs';

const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
console.log(JSON.stringify(makeSbom(lock, { withDevelopment: values.dev }), null, 2));
