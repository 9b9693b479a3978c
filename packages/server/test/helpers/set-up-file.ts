// Vitest runs this before every test file.
import { endFiles } from './at-end-of-file.ts';

endFiles();
