import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../context.ts';
import { createApp } from '../app.ts';
import { addDocsSite } from './docs-site.ts';
import { createReaderLinks } from './reader-links.ts';

/** A site without pages. `service` is asked for its origin each time a page is read. */
async function openSite(service: Pick<Service, 'publicOrigin'>) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-docs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { app } = await createApp({
    newRequestId: () => 'req_1',
    trustedProxies: [],
    refuse: (error, _, reply) => void reply.code(404).send(error.message),
  });
  addDocsSite(app, {
    service: service as Service,
    readerLinks: createReaderLinks(),
    folder,
    sendPage: (reply, html) => reply.type('text/html').send(html),
  });
  return { app, folder };
}

test('until the docs are built, their addresses answer with a page that reloads', async () => {
  const { app, folder } = await openSite({ publicOrigin: 'https://svc.example' });
  const get = async (url: string) => {
    const { statusCode, headers, body } = await app.inject(url);
    return { statusCode, retryAfter: headers['retry-after'], body };
  };

  // The build is halfway: a page is there, the redirects are not.
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs/index.html'), 'Start at http://localhost:4000/v1');
  for (const url of ['/docs', '/docs/start', '/llms.txt']) {
    const { statusCode, retryAfter, body } = await get(url);
    expect([url, statusCode, retryAfter]).toEqual([url, 503, '2']);
    expect(body).toContain('<meta http-equiv="refresh" content="2">');
  }

  await writeFile(join(folder, 'docs/redirects.json'), '{"/docs/old":"/docs/start"}');
  await writeFile(join(folder, 'docs/start.html'), 'Start');
  expect(await get('/docs')).toMatchObject({
    statusCode: 200,
    body: 'Start at https://svc.example/v1',
  });
  expect(await get('/docs/old')).toMatchObject({ statusCode: 308 });
  expect(await get('/docs/redirects.json')).toMatchObject({ statusCode: 404 });
});

test('a page is read once, however many readers ask for it at the same time', async () => {
  let reads = 0;
  const { app, folder } = await openSite({
    get publicOrigin() {
      reads += 1;
      return 'https://svc.example';
    },
  });
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs/redirects.json'), '{}');
  await writeFile(join(folder, 'docs/api.html'), 'Call http://localhost:4000/v1');
  const readers = Array.from({ length: 40 }, () => app.inject('/docs/api'));
  const bodies = (await Promise.all(readers)).map(({ body }) => body);
  expect(new Set(bodies)).toEqual(new Set(['Call https://svc.example/v1']));
  expect(reads).toBe(1);
});
