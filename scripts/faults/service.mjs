/** Serving, signing in, operators, alarms, settings, and stores that are restored. */
export const FAULTS = [
  {
    what: 'a damaged file of the newest head counts as no file',
    file: 'packages/server/src/restore/watch-store.ts',
    find: `  for (const name of unreadable) reasons.push(\`\${name} of \${node} cannot be read\`);
`,
    replace: '',
    caughtBy: ['packages/server/test/restore/watch-store.test.ts'],
  },
  {
    what: 'a file of a head without a hash is taken',
    file: 'packages/server/src/restore/head-file.ts',
    find: ' || !HASH.test(hash)) return undefined;',
    replace: ') return undefined;',
    caughtBy: ['packages/server/test/restore/head-file.test.ts'],
  },
  {
    what: 'a head of the same number with another hash counts as the same',
    file: 'packages/server/src/restore/watch-store.ts',
    find: 'return head?.hash === known.hash;',
    replace: 'return head !== undefined;',
    caughtBy: [
      'packages/server/test/cli/store/restored-store.test.ts',
      'packages/server/test/restore/watch-store.test.ts',
    ],
  },
  {
    what: 'a restore that was noticed is recorded, and requests start all the same',
    file: 'packages/server/src/restore/watch-store.ts',
    find: `    await followOpen(state);
    return false;`,
    replace: `    await followOpen(state);
    return true;`,
    caughtBy: ['packages/server/test/restore/watch-store.test.ts'],
  },
  {
    what: 'the cancellations of a node are not added to the list that is reviewed',
    file: 'packages/server/src/restore/watch-store.ts',
    find: `await restores.addFindings(some.map((it) => ({ ...it, source: node })));
    });`,
    replace: `return undefined;
    });`,
    caughtBy: ['packages/server/test/restore/watch-store.test.ts'],
  },
  {
    what: 'a cancellation is answered before it is in the file',
    file: 'packages/server/src/app/restored-store.ts',
    find: '        await cancellations.add(cancelled);',
    replace: '        void cancellations.add(cancelled);',
    caughtBy: [
      'packages/server/test/nodes/read-only.test.ts',
      'packages/server/test/crash/durability.test.ts',
    ],
  },
  {
    what: 'a node does not write down the cancellations that others have answered',
    file: 'packages/server/src/app/restored-store.ts',
    find: '      await logged.look();',
    replace: '      if (store.nodes === null) await logged.look();',
    caughtBy: ['packages/server/test/nodes/removed-cancellations.long.test.ts'],
  },
  {
    what: 'the worker starts requests while a restore is open',
    file: 'packages/server/src/app/start-guard.ts',
    find: 'return isFine && performance.now() >= waitUntil;',
    replace: 'return performance.now() >= waitUntil;',
    caughtBy: ['packages/server/test/restore/start-guard.test.ts'],
  },
  {
    what: 'a request starts that this node has cancelled',
    file: 'packages/server/src/app/start-guard.ts',
    find: '      if (lost.length === 0) return due;',
    replace: '      if (lost.length >= 0) return due;',
    caughtBy: [
      'packages/server/test/restore/forgotten-cancellations.test.ts',
      'packages/server/test/cli/store/revived-request.test.ts',
    ],
  },
  {
    what: 'a cancellation that another node has written down already is written again',
    file: 'packages/server/src/restore/follow-cancellations.ts',
    find: '!known.has(eventOf(it))',
    replace: 'true',
    caughtBy: ['packages/server/test/restore/follow-cancellations.test.ts'],
  },
  {
    what: 'a restore is confirmed though the list has changed since it was read',
    file: 'packages/server/src/operator/restore/restored.ts',
    find: `    if (isAsSeen(requests)) return;
`,
    replace: `    if (requests.length >= 0) return;
`,
    caughtBy: ['packages/server/test/http/operator/api/restoring.test.ts'],
  },
  {
    what: 'a review takes what the store has already onto the list',
    file: 'packages/server/src/operator/restore/restored.ts',
    find: 'if (isBehind(one, request?.status)) found',
    replace: 'if (request !== undefined) found',
    caughtBy: [
      'packages/server/test/operator/read-happened.test.ts',
      'packages/server/test/http/operator/api/restoring.test.ts',
      'packages/server/test/cli/store/restored-store.test.ts',
    ],
  },
  {
    what: 'an expired token is accepted',
    file: 'packages/server/src/auth/access-token.ts',
    find: 'exp <= now) return',
    replace: 'exp <= 0) return',
    caughtBy: [
      'packages/server/test/auth/access-token.test.ts',
      'packages/server/test/auth/forged-token.test.ts',
    ],
  },
  {
    what: 'a token for another audience is accepted',
    file: 'packages/server/src/auth/access-token.ts',
    find: 'if (!isAudience(claims.aud)) return',
    replace: 'if (claims.aud === undefined) return',
    caughtBy: [
      'packages/server/test/auth/access-token.test.ts',
      'packages/server/test/auth/forged-token.test.ts',
    ],
  },
  {
    what: 'the signature of a token is not checked',
    file: 'packages/server/src/auth/access-token.ts',
    find: "if (!verify('sha256', Buffer.from(signed), options, signature)) {",
    replace: 'if (signature.length === 0 || !options) {',
    caughtBy: ['packages/server/test/auth/forged-token.test.ts'],
  },
  {
    what: 'a remembered token is valid until it expires, also of a revoked client',
    file: 'packages/server/src/auth/authenticate.ts',
    find: 'now < entry.expiresAt && (await entry.isStillGood())',
    replace: 'now < entry.expiresAt',
    caughtBy: [
      'packages/server/test/auth/remembered-token.test.ts',
      'packages/server/test/auth/revocation.test.ts',
    ],
  },
  {
    what: 'a revoked secret of a client still gets tokens accepted',
    file: 'packages/server/src/auth/authenticate.ts',
    find: 'if (!(await isStillGood())) throw',
    replace: "if (clientId === '') throw",
    caughtBy: ['packages/server/test/auth/revocation.test.ts'],
  },
  {
    what: 'one more guess at a secret than ten is checked',
    file: 'packages/server/src/auth/throttle-failures.ts',
    find: 'MAX_PER_ADDRESS = 10;',
    replace: 'MAX_PER_ADDRESS = 11;',
    caughtBy: ['packages/server/test/auth/throttle-failures.test.ts'],
  },
  {
    what: 'guesses from many addresses are not counted together',
    file: 'packages/server/src/auth/throttle-failures.ts',
    find: '      const all = byClient.add(clientKey);',
    replace: '      const all = byClient.add(addressKey);',
    caughtBy: [
      'packages/server/test/auth/throttle-failures.test.ts',
      'packages/server/test/auth/token-throttling.test.ts',
    ],
  },
  {
    what: 'a revoked client of operators is let in',
    file: 'packages/server/src/auth/operator/authenticate.ts',
    find: ' || client.revokedTime !== null) return',
    replace: ') return',
    caughtBy: ['packages/server/test/auth/operator-clients.test.ts'],
  },
  {
    what: 'an expired client of operators is let in',
    file: 'packages/server/src/auth/operator/authenticate.ts',
    find: 'client.expiresTime <= clock()',
    replace: 'client.expiresTime <= 0',
    caughtBy: ['packages/server/test/contract/operators.test.ts'],
  },
  {
    what: 'a link for signing in is valid for hours',
    file: 'packages/server/src/auth/operator/sign-in.ts',
    find: 'LINK_LIFETIME_MS = 600_000',
    replace: 'LINK_LIFETIME_MS = 6_000_000',
    caughtBy: ['packages/server/test/http/operator/links.test.ts'],
  },
  {
    what: 'a viewer may do what needs an operator',
    file: 'packages/server/src/http/operator/authenticate-operator.ts',
    find: 'if (includesRole(request.operator.role, needed)) return;',
    replace: "if (includesRole(request.operator.role, 'viewer')) return;",
    caughtBy: [
      'packages/server/test/http/operator/api/acting.test.ts',
      'packages/server/test/http/operator/api/reading.test.ts',
    ],
  },
  {
    what: 'a call with a cookie needs no CSRF token',
    file: 'packages/server/src/http/operator/csrf.ts',
    find: 'if (given.length === expected.length && timingSafeEqual(given, expected)) return;',
    replace: 'if (given.length >= 0 || timingSafeEqual(given, expected)) return;',
    caughtBy: [
      'packages/server/test/http/operator/csrf.test.ts',
      'packages/server/test/http/operator/sessions.test.ts',
    ],
  },
  {
    what: 'events go on after the client was revoked elsewhere',
    file: 'packages/server/src/http/operator/authenticate-operator.ts',
    find: 'request.stillSignedIn = async () => mayStill(request, await authentication.client(token));',
    replace: 'request.stillSignedIn = async () => mayStill(request, operator);',
    caughtBy: ['packages/server/test/http/operator/api/listening.test.ts'],
  },
  {
    what: 'the rate limit allows one request more',
    file: 'packages/server/src/http/limits/rate-limit.ts',
    find: 'if (bucket.tokens >= 1) {',
    replace: 'if (bucket.tokens >= 0) {',
    caughtBy: ['packages/server/test/http/limits/rate-limit.test.ts'],
  },
  {
    what: 'a request that is not pending is cancelled with 202',
    file: 'packages/server/src/http/opendsr/delete-request.ts',
    find: `        case 'not_pending':
          throw new ApiError(
            400,`,
    replace: `        case 'not_pending':
          throw new ApiError(
            404,`,
    caughtBy: ['packages/server/test/http/cancel-request.test.ts'],
  },
  {
    what: 'a server that stops says that it is ready',
    file: 'packages/server/src/app/readiness.ts',
    find: "const reasons = isServing() ? [] : ['shutting down'];",
    replace: 'const reasons: string[] = [];',
    caughtBy: ['packages/server/test/http/shutting-down.test.ts'],
  },
  {
    what: 'a server that stops closes at once, before load balancers have seen it',
    file: 'packages/server/src/cli/server/serve.ts',
    find: "if (how !== 'SIGINT') await delay",
    replace: "if (how === 'SIGINT') await delay",
    caughtBy: ['packages/server/test/http/shutting-down.test.ts'],
  },
  {
    what: 'a node stays unready for ever after one write failed',
    file: 'packages/server/src/domain/store/late-failure.ts',
    find: 'now() - failed.at < SHOWS_MS',
    replace: 'failed.at < now()',
    caughtBy: ['packages/server/test/domain/store/late-failure.test.ts'],
  },
  {
    what: 'an address that a proxy forwarded counts as this machine',
    file: 'packages/server/src/http/operator/loopback.ts',
    find: '(name) => !OF_BROWSERS.has(name) && !OF_BROWSERS_TOO.test(name),',
    replace: "(name) => name === '',",
    caughtBy: ['packages/server/test/http/operator/loopback.test.ts'],
  },
  {
    what: 'an alarm of a deadline is raised at the next look too',
    file: 'packages/server/src/alarms/look-at-deadlines.ts',
    find: 'else if (time >= request.lookedUntil)',
    replace: 'else if (time >= 0)',
    caughtBy: ['packages/server/test/alarms/deadlines.test.ts'],
  },
  {
    what: 'the alarm that a deadline has passed is a stage late',
    file: 'packages/server/src/alarms/look-at-deadlines.ts',
    find: 'if (time > now) nextTime',
    replace: 'if (time >= now) nextTime',
    caughtBy: [
      'packages/server/test/alarms/deadlines.test.ts',
      'packages/server/test/alarms/year.test.ts',
    ],
  },
  {
    what: 'webhooks are posted to private addresses that are not allowed',
    file: 'packages/server/src/alarms/webhook.ts',
    find: 'createAddressRule(url, { allowPrivate,',
    replace: 'createAddressRule(url, { allowPrivate: allowPrivate !== undefined,',
    caughtBy: ['packages/server/test/alarms/webhook.test.ts'],
  },
  {
    what: 'one crash of the worker raises the alarm',
    file: 'packages/server/src/alarms/worker-trouble.ts',
    find: 'if (stops.length < STOPS) return;',
    replace: 'if (stops.length < 1) return;',
    caughtBy: ['packages/server/test/alarms/worker-trouble.test.ts'],
  },
  {
    what: 'a row that someone else wrote is refused without an alarm',
    file: 'packages/server/src/alarms/refused-rows.ts',
    find: '      telling = telling.then(() => raise(alarm));',
    replace: '      telling = telling.then(() => void alarm);',
    caughtBy: [
      'packages/server/test/auth/forged-rows.test.ts',
      'packages/server/test/cli/task/forged-release.test.ts',
    ],
  },
  {
    what: 'a file with a secret that the group may write is not reported',
    file: 'packages/server/src/config/loose-files.ts',
    find: 'LOOSE = 0o027',
    replace: 'LOOSE = 0o007',
    caughtBy: ['packages/server/test/config/loose-files.test.ts'],
  },
  {
    what: 'a short customer id is shown nearly whole',
    file: 'packages/server/src/operator/request/mask-identity.ts',
    find: 'characters.length > 4 * count ?',
    replace: 'characters.length > count ?',
    caughtBy: [
      'packages/server/test/operator/request/mask-identity.test.ts',
      'packages/server/test/cli/request/show.test.ts',
    ],
  },
  {
    what: 'the current master key can be destroyed',
    file: 'packages/server/src/operator/keys/destroy-key.ts',
    find: '  if (isCurrent) {',
    replace: "  if (isCurrent && id === '') {",
    caughtBy: ['packages/server/test/cli/keys/keys.test.ts'],
  },
  {
    what: 'a second server on the same folder starts',
    file: 'packages/server/src/cli/server/serve.ts',
    find: '  if (lock === undefined) {',
    replace: '  if (lock === undefined && config.demo) {',
    caughtBy: ['packages/server/test/cli/server/beside-a-server.test.ts'],
  },
  {
    what: 'heads are signed while the published keys are gone',
    file: 'packages/server/src/app/proof/sealing.ts',
    find: `        if (signer.unusable !== undefined) throw signer.unusable;
`,
    replace: '',
    caughtBy: ['packages/server/test/cli/server/lost-proof-keys.test.ts'],
  },
];
