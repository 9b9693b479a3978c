// Vitest runs this before every test file.
import { fileURLToPath } from 'node:url';
import { endFiles } from './at-end-of-file.ts';
import { noteProcessorTime } from './processor-time.ts';
import { useBundle } from './use-bundle.ts';

// As bin/unwrite.js does, for the threads and processes that the source starts: to strip types and to compile
// is most of what it takes to start one.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../.cache/', import.meta.url));

// The tests before, in the same process, may have left it in a folder that is gone.
process.chdir(fileURLToPath(new URL('../../../..', import.meta.url)));
useBundle();
endFiles();
noteProcessorTime();
