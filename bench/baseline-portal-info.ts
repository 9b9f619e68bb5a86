import { createHash, randomBytes } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

// Runs in a separate process: the minimum that a service could do for portal_info, written by hand.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`
  create table bare_tenant (
    id bigint generated always as identity primary key,
    external_id text not null unique,
    info jsonb not null,
    updated_at timestamptz not null
  );
  create table bare_token (
    secret_sha256 bytea primary key,
    tenant_id bigint not null references bare_tenant,
    expires_at timestamptz not null
  )`);

const app = fastify();
app.post<{ Params: { external_id: string }; Body: object }>(
  '/v1/tenant/portal_info/:external_id',
  async (request) => {
    const token = `svc_tt_${randomBytes(32).toString('base64url')}`;
    const now = new Date();
    const expires = new Date(now.getTime() + 3_600_000);
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query(
        `insert into bare_tenant (external_id, info, updated_at) values ($1, $2, $3)
         on conflict (external_id) do update set info = excluded.info, updated_at = excluded.updated_at
         returning id`,
        [request.params.external_id, request.body, now],
      );
      const hash = createHash('sha256').update(token).digest();
      await client.query(
        'insert into bare_token (secret_sha256, tenant_id, expires_at) values ($1, $2, $3)',
        [hash, rows[0].id, expires],
      );
      await client.query('commit');
    } finally {
      client.release();
    }
    return { error: null, data: { token, expires_at: expires.toISOString() } };
  },
);
process.stdout.write(`answers at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
