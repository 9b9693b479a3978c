// The textbook's way: the same framework, routes and schemas, a pool of connections, one INSERT or SELECT
// for each request. It stores the same fields as durably, in plain text: neither authentication nor
// sealing nor an audit log.
import type { CreateRequestBody } from '@unwrite/protocol';
import fastify from 'fastify';
import pg from 'pg';
import { CREATE, createdAnswer, STATUS, statusAnswer } from './plain-api.ts';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.POOL_SIZE),
});
await pool.query(`
  CREATE TABLE IF NOT EXISTS textbook_requests (
    request_no         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    controller_id      text NOT NULL,
    subject_request_id uuid NOT NULL,
    status             text NOT NULL,
    regulation         text NOT NULL,
    submitted_time     text NOT NULL,
    received_time      timestamptz NOT NULL,
    identities         jsonb NOT NULL,
    UNIQUE (controller_id, subject_request_id)
  )`);

const INSERT = {
  name: 'insert',
  text: `INSERT INTO textbook_requests
           (controller_id, subject_request_id, status, regulation, submitted_time, received_time,
            identities)
         VALUES ($1, $2, 'pending', $3, $4, $5, $6)`,
};
const SELECT = {
  name: 'select',
  text: `SELECT subject_request_id, status, received_time FROM textbook_requests
         WHERE controller_id = $1 AND subject_request_id = $2`,
};
const UNIQUE_VIOLATION = '23505';

const app = fastify();

app.post<{ Body: CreateRequestBody }>('/requests', CREATE, async (request, reply) => {
  const { subject_request_id, regulation, submitted_time, subject_identities } = request.body;
  const received = new Date().toISOString();
  const identities = JSON.stringify(subject_identities ?? []);
  try {
    const values = ['acme', subject_request_id, regulation, submitted_time, received, identities];
    await pool.query({ ...INSERT, values });
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    return reply.code(409).send();
  }
  reply.code(201);
  return createdAnswer(subject_request_id, received);
});

app.get<{ Params: { id: string } }>('/requests/:id', STATUS, async (request, reply) => {
  const { rows } = await pool.query({ ...SELECT, values: ['acme', request.params.id] });
  const [row] = rows;
  if (row === undefined) return reply.code(404).send();
  return statusAnswer(row.subject_request_id, row.status);
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
