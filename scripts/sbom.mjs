// node scripts/sbom.mjs: a bill of materials of what production needs, CycloneDX as JSON, on standard output.
// node scripts/sbom.mjs --dev > unwrite.cdx.json: with what development needs, too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSbom } from './make-sbom.mjs';
import { describeFlags, ROOT, readFlags } from './run.mjs';

const FLAGS = {
  dev: { type: 'boolean', default: false, help: 'with what development needs, too' },
  help: { type: 'boolean', default: false, help: 'print this' },
};
const { dev, help } = readFlags(process.argv.slice(2), FLAGS);
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
console.log(
  help
    ? describeFlags(FLAGS).join('\n')
    : JSON.stringify(makeSbom(lock, { withDevelopment: dev }), null, 2),
);
