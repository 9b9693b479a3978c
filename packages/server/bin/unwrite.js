#!/usr/bin/env node
// Plain JavaScript that any Node can read: says in one line when this Node is too old for the rest.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `unwrite needs Node.js 24 or newer; this is ${process.version}. In the repository, run it as: npx unwrite`,
  );
  process.exit(1);
}

const { enableCompileCache } = await import('node:module');
// Half of the start-up time is compiling; the cache is shared by all runs of one user.
enableCompileCache?.();

// Sources in the repository, built files in the package.
const { existsSync } = await import('node:fs');
const source = new URL('../src/main.ts', import.meta.url);
await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href);
