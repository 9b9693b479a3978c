/** Tests that take longer than `npm test` has time for: `npm run test:nodes` sets it. */
export const isLong = process.env.UNWRITE_TEST_LONG === '1';
