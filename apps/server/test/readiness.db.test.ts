import { raw, sql } from '@svc/db';
import { expect, test } from 'vitest';
import { version } from '../src/migrations.ts';
import { ada, startRunning, useService } from './harness.ts';
import { changeTriggers } from './support/change-triggers.ts';

const svc = await useService();

async function ready(url = svc.url) {
  const response = await fetch(`${url}/readyz`);
  const text = await response.text();
  return { status: response.status, message: response.ok ? text : JSON.parse(text).error.message };
}

test('on a full disk writes get 503, and the process is not ready until 30 s after the last failure', async () => {
  const { key } = await svc.newPartner();
  const write = (id: string) =>
    svc.call('POST', `/tenant/portal_info/${id}`, { key, body: ada }).then(({ status }) => status);
  expect(await write('t-1')).toBe(200);
  expect(await ready()).toEqual({ status: 200, message: 'ok\n' });
  // Raises the server's own error for each insert. Updates in place and reads work on a full disk.
  await changeTriggers(svc.db, async (tx) => {
    await tx.run(
      raw(`
      create function disk_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`),
    );
    await tx.run(
      raw(
        'create trigger disk_full before insert on tenant for each row execute function disk_full()',
      ),
    );
  });
  svc.clock.advance(1_000);
  const from = svc.lines.length;
  expect([await write('t-2'), await write('t-3')]).toEqual([503, 503]);
  expect((await svc.call('GET', '/settlements', { key })).status).toBe(200);
  const full = {
    status: 503,
    message: 'The disk of the database was full less than 30 seconds ago.',
  };
  expect(await ready()).toEqual(full);

  await changeTriggers(svc.db, (tx) => tx.run(raw('drop trigger disk_full on tenant')));
  expect(await write('t-2')).toBe(200);
  svc.clock.advance(29_000);
  expect(await ready()).toEqual(full);
  svc.clock.advance(1_001);
  expect((await ready()).status).toBe(200);
  const lines = svc.lines.slice(from).map((line) => JSON.parse(line));
  expect(lines.filter(({ level }) => level > 30)).toHaveLength(1);
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'database available again', failures: 2 }),
  );
});

test('a migration of a later version leaves the process ready unless it needs that version', async () => {
  const future = async (name: string, oldest: string) => {
    await svc.db.run(sql`
      insert into svc_migration (source, number, name, checksum, oldest_service)
      select 'server', max(number) + 1, ${name}, 'x', ${oldest} from svc_migration
      where source = 'server'`);
    svc.clock.advance(1_000);
  };
  try {
    await future('9998_expand', version);
    expect(await ready()).toEqual({ status: 200, message: 'ok\n' });
    await future('9999_contract', '99.0.0');
    expect(await ready()).toEqual({
      status: 503,
      message: `The database has server/9999_contract, which needs version 99.0.0 or later, and this is ${version}: start version 99.0.0 or later.`,
    });
  } finally {
    await svc.db.run(sql`delete from svc_migration where name like '999%'`);
  }
});

test('shutdown makes the process unready first, and requests are answered until the drain time is over', async () => {
  const own = await startRunning({ drainSeconds: 7 });
  const { key } = await own.newPartner();
  expect((await ready(own.url)).status).toBe(200);
  const closed = own.close();
  try {
    expect(await ready(own.url)).toEqual({
      status: 503,
      message: 'The service is shutting down.',
    });
    expect((await fetch(`${own.url}/livez`)).status).toBe(200);
    const answer = await own.call('POST', '/tenant/portal_info/t-1', { key, body: ada });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
  } finally {
    own.clock.advance(7_000);
    await closed;
  }
  await expect(fetch(`${own.url}/livez`)).rejects.toThrow('fetch failed');
});
