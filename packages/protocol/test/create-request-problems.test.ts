import { describe, expect, it } from 'vitest';
import { describeProblems } from '../src/index.ts';
import { identity, requestBody } from './helpers/request-body.ts';

function problemsOf(body: unknown): string {
  return describeProblems(body);
}

function problemsWith(changes: Record<string, unknown>): string {
  return problemsOf(requestBody(changes));
}

const UUID = 'must be a UUID version 4, such as a7551968-d5d6-44b2-9831-815ac9017798';
const TIMESTAMP = 'must be an RFC 3339 timestamp with an offset or Z, such as 2026-11-15T02:00:00Z';
const IDENTITY = 'must have no white space at either end and no control characters';

describe('the message about wrong fields', () => {
  it('names every missing field at once', () => {
    expect(problemsOf({})).toBe(
      'regulation is missing; subject_request_id is missing; subject_request_type is missing; submitted_time is missing',
    );
  });

  it('says of a body of another kind that it must be an object', () => {
    for (const body of [null, [], 'text', 7]) {
      expect(problemsOf(body)).toBe('The body must be an object');
    }
  });

  it.each([
    ['regulation', 'hipaa', 'must be one of: gdpr, ccpa'],
    ['regulation', 7, 'must be one of: gdpr, ccpa'],
    ['subject_request_id', 'nonsense', UUID],
    ['subject_request_id', 7, 'must be a string'],
    ['subject_request_type', 'access', 'must be "erasure"'],
    ['subject_request_type', null, 'must be "erasure"'],
    ['submitted_time', 'yesterday', TIMESTAMP],
    ['submitted_time', 1_794_708_000, 'must be a string'],
    ['subject_identities', 'jane', 'must be an array'],
    ['status_callback_urls', 'https://example.com', 'must be an array'],
    ['api_version', '1.0', 'must be "2.0"'],
    ['api_version', 2, 'must be "2.0"'],
    ['api_version', ['2.0'], 'must be "2.0"'],
  ])('says of %s as %j what it must be', (field, value, problem) => {
    expect(problemsWith({ [field]: value })).toBe(`${field} ${problem}`);
  });

  it('says of too many identities how many there may be', () => {
    const many = Array(501).fill(identity('email', 'jane@example.com'));
    expect(problemsWith({ subject_identities: many })).toBe(
      'subject_identities must have at most 500 items',
    );
  });

  it.each([
    ['identity_value', '', 'must not be empty'],
    ['identity_value', 'x'.repeat(1025), 'must have at most 1024 characters'],
    ['identity_value', 'jane ', IDENTITY],
    ['identity_value', 7, 'must be a string'],
    ['identity_type', 'phone', 'must be one of: email, controller_customer_id'],
    ['identity_format', 'sha256', 'must be "raw"'],
  ])('names an identity by its place when %s is %j', (field, value, problem) => {
    const good = identity('email', 'jane@example.com');
    const identities = [good, { ...good, [field]: value }];
    expect(problemsWith({ subject_identities: identities })).toBe(
      `subject_identities[1].${field} ${problem}`,
    );
  });

  it('says of an identity of another kind that it must be an object', () => {
    expect(problemsWith({ subject_identities: ['jane'] })).toBe(
      'subject_identities[0] must be an object',
    );
  });

  it('names wrong fields and missing fields together', () => {
    const problems = problemsOf({ regulation: 'x', api_version: '3.0', subject_identities: [{}] });
    for (const field of [
      'regulation must be',
      'subject_request_id is missing',
      'subject_request_type is missing',
      'submitted_time is missing',
      'api_version must be "2.0"',
      'subject_identities[0].identity_type is missing',
      'subject_identities[0].identity_value is missing',
      'subject_identities[0].identity_format is missing',
    ]) {
      expect(problems).toContain(field);
    }
    expect(problems.split('; ')).toHaveLength(8);
  });

  it('stays short: 25 problems are named and the rest counted, identities last', () => {
    const problems = problemsOf({ subject_identities: Array(500).fill({}), api_version: '1.0' });
    const sentences = problems.split('; ');
    expect(sentences).toHaveLength(26);
    expect(sentences.slice(0, 5).join()).not.toContain('[');
    expect(sentences.at(-1)).toBe('and 1480 more');
  });

  it('never repeats a value or the name of an unknown field', () => {
    const secret = 'jane@example.com';
    const problems = problemsWith({
      regulation: secret,
      subject_request_id: secret,
      subject_request_type: secret,
      submitted_time: secret,
      api_version: secret,
      status_callback_urls: secret,
      subject_identities: [
        secret,
        { identity_type: secret, identity_value: ` ${secret}`, identity_format: secret },
        { [secret]: secret },
      ],
      [secret]: secret,
    });
    expect(problems.split('; ').length).toBeGreaterThan(9);
    expect(problems).not.toMatch(/jane|example\.com/);
  });
});
