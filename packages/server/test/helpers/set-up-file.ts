// Vitest runs this before every test file.
import { fileURLToPath } from 'node:url';
import { endFiles } from './at-end-of-file.ts';

// The tests before, in the same process, may have left it in a folder that is gone.
process.chdir(fileURLToPath(new URL('../../../..', import.meta.url)));
endFiles();
