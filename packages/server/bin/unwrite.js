#!/usr/bin/env node
// Says in one line when this Node is too old for the rest; so every Node must be able to read this file.
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `unwrite: needs Node.js 24 or newer; this is ${process.version}. In a clone of the repository, npm brings the right one: npx unwrite`,
  );
  process.exit(1);
}

import('./start.js');
