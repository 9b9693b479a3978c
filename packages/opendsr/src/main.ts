#!/usr/bin/env node
import { runCommandLine } from './program.ts';
import { systemIo } from './system-io.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), systemIo());
