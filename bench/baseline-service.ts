import fastify from 'fastify';
import pg from 'pg';

// Runs in a separate process: answers the request mix of bench/service.ts with as many statements as
// the service runs, each of them trivial.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query('create table bare (id bigint generated always as identity, at timestamptz)');
const app = fastify();
const data = { error: null, data: { state: 'can_split', token: 'svc_tt_x', at: null } };

// Each route runs as many statements as the service does for a known tenant and key.
app.post('/v1/tenant/portal_info/:external_id', async () => {
  await trivial();
  await pool.query('insert into bare (at) values ($1)', [new Date()]);
  return data;
});
app.post('/v1/widget/session', () => statements(3));
app.get('/v1/experience/state', () => statements(3));
app.get('/v1/settlements', () => statements(1));
app.get('/v1/webhooks/messages', () => statements(2));

async function statements(count: number): Promise<object> {
  for (let statement = 0; statement < count; statement += 1) await trivial();
  return data;
}

function trivial(): Promise<unknown> {
  return pool.query('select $1::text as id, $2::int as version', ['t-1', 1]);
}

process.stdout.write(`answers at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
