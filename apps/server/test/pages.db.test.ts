import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { errorCatalog, eventCatalog } from '@svc/contract';
import { sql } from '@svc/db';
import { expect, test } from 'vitest';
import { useService } from './harness.ts';

const svc = await useService();

const get = (path: string, init?: RequestInit) => fetch(svc.url + path, init);

test('the experience page contains its partner’s origins; an unknown portal gets a 404 page', async () => {
  const { pms, key } = await svc.newPartner();
  const any = await get(`/experience/${pms}`);
  expect(any.headers.get('content-security-policy')).toContain('frame-ancestors http: https:');
  expect(await any.text()).toContain('<meta name="svc-allowed-origins" content="*"');
  const body = { allowed_origins: ['https://portal.example'] };
  await svc.call('PUT', '/partner/allowed_origins', { key, body });
  const page = await get(`/experience/${pms}`);
  expect(page.headers.get('content-security-policy')).toContain(
    "frame-ancestors 'self' https://portal.example",
  );
  const html = await page.text();
  expect(html).toContain('<meta name="svc-allowed-origins" content="https://portal.example"');
  expect(html).toContain('<meta name="svc-environment" content="sandbox"');
  const unknown = await get('/experience/nobody');
  expect(unknown.status).toBe(404);
  expect(unknown.headers.get('content-type')).toContain('text/html');
});

test('a partner with an app allows our own page, which is the app’s and which no page can frame', async () => {
  const page = await get('/sdk/webview');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("frame-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  const [, script = '', integrity] =
    /<script type="module" src="([^"]+)" integrity="([^"]+)"/.exec(await page.text()) ?? [];
  const bytes = Buffer.from(await (await get(script)).arrayBuffer());
  expect(integrity).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);

  const { pms, key } = await svc.newPartner();
  const allowed_origins = ['https://portal.example'];
  const ancestors = async () =>
    /frame-ancestors ([^;]+)/.exec(
      (await get(`/experience/${pms}`)).headers.get('content-security-policy') ?? '',
    )?.[1];
  await svc.call('PUT', '/partner/allowed_origins', { key, body: { allowed_origins } });
  expect(await ancestors()).toBe("'self' https://portal.example");
  const body = { allowed_origins, app_schemes: ['com.example.app'] };
  await svc.call('PUT', '/partner/allowed_origins', { key, body });
  expect(await ancestors()).toBe(`'self' https://portal.example ${svc.origin}`);
});

test('only exact origins of old rows reach the page and its policy', async () => {
  const { pms, id } = await svc.newPartner();
  const store = (origins: string[]) =>
    svc.db.run(sql`update partner set allowed_origins = ${origins}::text[] where id = ${id}`);
  const read = async () => {
    const page = await get(`/experience/${pms}`);
    const policy = page.headers.get('content-security-policy') ?? '';
    const ancestors = /frame-ancestors ([^;]*)/.exec(policy)?.[1];
    const listed = /<meta name="svc-allowed-origins" content="([^"]*)"/.exec(await page.text());
    return [ancestors, listed?.[1]];
  };
  await store(['https://*', 'https://portal.example', 'https://a;script-src *']);
  expect(await read()).toEqual(["'self' https://portal.example", 'https://portal.example']);
  await store(['https://*.com']);
  expect(await read()).toEqual(["'none'", '']);
});

test('the assets of the pages exist and are cacheable', async () => {
  const { pms } = await svc.newPartner();
  const consoles = [
    '/portal',
    '/portal/messages/evt_1',
    '/operator',
    '/operator/tenants/maple/t-1',
  ];
  for (const path of [`/experience/${pms}`, ...consoles]) {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const html = await page.text();
    const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, asset]) => asset ?? '');
    expect(assets.length).toBeGreaterThan(0);
    for (const asset of assets) {
      const file = await get(asset);
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  }
});

test('sending a file prints no warning about listeners', async () => {
  const warnings: string[] = [];
  const collect = ({ name }: Error) => warnings.push(name);
  process.on('warning', collect);
  try {
    await (await get('/portal')).text();
    // Warnings are emitted on the next tick, so before the answer to another request.
    await get('/livez');
  } finally {
    process.off('warning', collect);
  }
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});

test.each(['experience', 'portal'])(
  'files of the %s are compressed for clients that accept it',
  async (app) => {
    const { pms } = await svc.newPartner();
    const page = await (await get(app === 'portal' ? '/portal' : `/experience/${pms}`)).text();
    const [, script = ''] = /type="module"[^>]* src="([^"]+\.js)"/.exec(page) ?? [];
    const sizes: number[] = [];
    for (const encoding of ['br', 'gzip', 'identity']) {
      const file = await get(script, { headers: { 'accept-encoding': encoding } });
      expect(file.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      expect(file.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
      expect(file.headers.get('content-type')).toContain('javascript');
      sizes.push(Number(file.headers.get('content-length')));
      await file.arrayBuffer();
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  },
);

test('inline scripts and styles of the experience are allowed by hash, and the page is compressed', async () => {
  const { pms } = await svc.newPartner();
  const page = await get(`/experience/${pms}`, { headers: { 'accept-encoding': 'br' } });
  expect(page.headers.get('content-encoding')).toBe('br');
  expect(page.headers.get('vary')).toBe('accept-encoding');
  expect(Number(page.headers.get('content-length'))).toBeLessThan(12_000);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).not.toContain('unsafe');
  const html = await page.text();
  for (const tag of ['script', 'style']) {
    const inline = [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))];
    expect(inline).toHaveLength(1);
    const hash = createHash('sha256')
      .update(inline[0]?.[1] ?? '')
      .digest('base64');
    expect(policy).toContain(`${tag}-src 'self' 'sha256-${hash}'`);
  }
  for (const encoding of ['gzip', 'identity']) {
    const other = await get(`/experience/${pms}`, { headers: { 'accept-encoding': encoding } });
    expect(await other.text()).toBe(html);
  }
});

test('no page allows foreign or inline scripts, and the portal cannot be framed', async () => {
  for (const path of ['/', '/portal', '/docs/errors', '/docs/events', '/docs/api']) {
    const page = await get(path);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('x-robots-tag')).toContain('noindex');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle="|\son\w+="/);
  }
});

test('every error code and event type has an anchor', async () => {
  const errors = await (await get('/docs/errors')).text();
  for (const code of Object.keys(errorCatalog)) expect(errors).toContain(`id="${code}"`);
  const events = await (await get('/docs/events')).text();
  for (const type of Object.keys(eventCatalog)) expect(events).toContain(`id="${type}"`);
  const { error } = await svc.call('GET', '/nowhere');
  expect(error?.doc_url).toBe(`${svc.origin}/docs/errors#not_found`);
});

test('each picture of the guides is served, and small', async () => {
  const guide = await (await get('/docs/how-a-split-works')).text();
  const pictures = Array.from(guide.matchAll(/<img src="([^"]+)" alt="([^"]+)"/g));
  expect(pictures.length).toBeGreaterThan(8);
  for (const [, path = ''] of pictures) {
    const picture = await get(new URL(path, `${svc.url}/docs/how-a-split-works`).pathname);
    expect(picture.headers.get('content-type'), path).toBe('image/png');
    expect((await picture.arrayBuffer()).byteLength, path).toBeLessThan(60_000);
  }
  for (const path of ['nothing.png', '..%2Fredirects.json', '..%2F..%2Findex.html']) {
    expect((await get(`/docs/pictures/${path}`)).status, path).toBe(404);
  }
});

test('the docs show this service’s address, and former addresses lead to their page', async () => {
  const page = await (await get('/docs/webhooks')).text();
  expect(page).toContain(`${svc.origin}/v1/partner/webhook_portal_url`);
  expect(page).not.toContain('localhost:4000');
  const markdown = await get('/docs/webhooks.md');
  expect(markdown.headers.get('content-type')).toContain('text/markdown');
  expect(await markdown.text()).toContain(`${svc.origin}/v1/partner/webhook_portal_url`);
  for (const path of ['/llms.txt', '/docs/llms.txt']) {
    expect(await (await get(path)).text()).toContain('(/docs/webhooks.md)');
  }
  for (const path of ['/llms-full.txt', '/docs/llms-full.txt']) {
    const all = await (await get(path)).text();
    expect(all).toContain('<!-- /docs/webhooks.md -->');
    expect(all).toContain(`${svc.origin}/v1/partner/webhook_portal_url`);
    expect(all).not.toContain('<!-- /docs/operate/');
  }
  const former = await get('/docs/sdk', { redirect: 'manual' });
  expect([former.status, former.headers.get('location')]).toEqual([308, '/docs/widget']);
  const widget = await (await get('/docs/sdk')).text();
  for (const type of ['WIDGET_READY', 'SPLIT_RENT', 'TOKEN_EXPIRED', 'ERROR']) {
    expect(widget.split(`<code id="${type}">`)).toHaveLength(2);
  }
  for (const path of ['redirects.json', 'assets/', 'webhooks.html.br', '..%2Findex.html']) {
    expect((await get(`/docs/${path}`)).status, path).toBeGreaterThanOrEqual(400);
  }
});

test('assets of the docs are compressed and cached, and the policy allows them', async () => {
  const html = await (await get('/docs/errors')).text();
  const assets = [...html.matchAll(/(?:src|href|data-search)="(\/docs\/assets\/[^"]+)"/g)];
  expect(assets).toHaveLength(4);
  for (const [, asset = ''] of assets) {
    const file = await get(asset, { headers: { 'accept-encoding': 'br' } });
    expect([asset, file.status]).toEqual([asset, 200]);
    expect(file.headers.get('content-encoding')).toBe('br');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

test('a link to the docs gives its reader’s key once, and nothing else gives a key', async () => {
  const { pms, key } = await svc.newPartner();
  const link = new URL(svc.docsLink({ pms, api_key: key }));
  expect(link.pathname).toBe('/docs');
  const open = (body: unknown) =>
    get('/docs/reader', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const wrong of [{}, null, [], { secret: '' }, { secret: 'svc_dl_guess' }, { secret: [] }]) {
    expect((await open(wrong)).status).toBe(404);
  }
  const secret = link.hash.slice(1);
  const opened = await open({ secret });
  expect(opened.headers.get('cache-control')).toBe('no-store');
  expect(await opened.json()).toEqual({ pms, api_key: key });
  expect((await open({ secret })).status).toBe(404);
  expect((await get('/docs/reader.json')).status).toBe(404);
  expect(await (await get('/docs')).text()).not.toContain(key);
});

test('an unknown address answers browsers with a page and programs with JSON', async () => {
  const page = await get('/docs/nowhere', { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(page.status).toBe(404);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('<a href="/docs">');
  expect((await get('/docs/nowhere')).headers.get('content-type')).toContain('application/json');
  const api = await get('/v1/nowhere', { headers: { accept: 'text/html' } });
  expect(api.headers.get('content-type')).toContain('application/json');
});

test('pages answer HEAD, any page can load the SDK, and files outside of the folders are not served', async () => {
  const head = await fetch(`${svc.url}/portal`, { method: 'HEAD' });
  expect(head.status).toBe(200);
  for (const file of ['/sdk/svc.js', '/sdk/svc.iife.js']) {
    const sdk = await get(file);
    expect(sdk.status).toBe(200);
    expect(sdk.headers.get('content-type')).toContain('javascript');
    expect(sdk.headers.get('access-control-allow-origin')).toBe('*');
  }
  for (const path of ['/portal/assets/..%2findex.html', '/experience/assets/%2e%2e/index.html']) {
    expect((await get(path)).status).toBeGreaterThanOrEqual(400);
  }
});

test('the process is live and ready', async () => {
  expect((await get('/livez')).status).toBe(200);
  expect((await get('/readyz')).status).toBe(200);
});

test('each SDK file has an immutable URL per release and an integrity hash', async () => {
  const answer = await get('/sdk/release.json');
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const { release, files } = (await answer.json()) as {
    release: string;
    files: Record<string, { path: string; integrity: string }>;
  };
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['svc.iife.js', 'svc.js']));
  for (const [name, { path, integrity }] of Object.entries(files)) {
    expect(path).toBe(`/sdk/${release}/${name}`);
    const file = await get(path, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('content-encoding')).toBe('br');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('access-control-allow-origin')).toBe('*');
    expect(file.headers.get('content-type')).toContain('javascript');
    const content = Buffer.from(await file.arrayBuffer());
    expect(`sha384-${createHash('sha384').update(content).digest('base64')}`).toBe(integrity);
    expect((await get(`/sdk/${name}`)).headers.get('cache-control')).toBe('public, max-age=300');
    // Debuggers fetch the source map from beside the file.
    const map = (await (await get(`${path}.map`)).json()) as { sourcesContent: string[] };
    expect(map.sourcesContent.length).toBeGreaterThan(0);
  }
  const foreign = [
    '0.0.1-0/svc.js',
    `${release}/index.d.ts.map`,
    `${release}/index.d.ts`,
    `${release}/..%2Fpackage.json`,
  ];
  for (const path of [...foreign, 'settings.d.ts', '__proto__']) {
    expect(`${(await get(`/sdk/${path}`)).status} ${path}`).toBe(`404 ${path}`);
  }
});

test('each package is served with its hash, and /sdk has the commands that install it', async () => {
  const { packages } = (await (await get('/sdk/release.json')).json()) as {
    packages: Record<string, Record<'path' | 'permanent_path' | 'integrity' | 'version', string>>;
  };
  expect(Object.keys(packages)).toEqual(
    expect.arrayContaining(['@svc/core', '@svc/node', '@svc/react']),
  );
  const page = await (await get('/sdk')).text();
  for (const [name, { path = '', permanent_path = '', integrity, version }] of Object.entries(
    packages,
  )) {
    expect(path).toBe(`/sdk/${name.slice(1).replace('/', '-')}-${version}.tgz`);
    const file = await get(path);
    expect(file.headers.get('content-encoding')).toBeNull();
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(`sha512-${createHash('sha512').update(bytes).digest('base64')}`).toBe(integrity);
    // npm asks whether its copy is still the current one.
    expect(file.headers.get('cache-control')).toBe('no-cache');
    const etag = file.headers.get('etag') ?? '';
    // Without its own cache-control, fetch would ask for a full answer.
    const asking = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const again = await get(path, { headers: asking });
    expect(again.status).toBe(304);
    const permanent = await get(permanent_path);
    expect(permanent.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(page).toContain(integrity);
    expect(page).toContain(`${svc.origin}${path}`);
  }
  // One command has all that the React packages import.
  const core = `${svc.origin}${packages['@svc/core']?.path}`;
  for (const name of ['@svc/react', '@svc/react-native']) {
    expect(page).toContain(`npm install ${core} ${svc.origin}${packages[name]?.path}<`);
  }
  for (const path of ['index.json', 'svc-core-0.0.0.tgz', 'x/svc-core-0.1.0.tgz', '..%2Fx.tgz']) {
    expect((await get(`/sdk/${path}`)).status, path).toBe(404);
  }
});

test('the test vectors of both signatures are served as JSON and as tables', async () => {
  const { files } = (await (await get('/docs/vectors')).json()) as { files: string[] };
  expect(files).toEqual(
    ['webhooks', 'widget-signatures'].flatMap((name) => [
      `/docs/vectors/${name}.json`,
      `/docs/vectors/${name}.tsv`,
    ]),
  );
  for (const path of files) {
    const file = await get(path);
    const isJson = path.endsWith('.json');
    expect(file.headers.get('content-type')).toContain(isJson ? 'json' : 'tab-separated-values');
    expect(file.headers.get('access-control-allow-origin')).toBe('*');
    const stored = new URL(`../../../packages/contract${path.slice(5)}`, import.meta.url);
    expect(await file.text(), path).toBe(await readFile(stored, 'utf8'));
  }
  for (const path of ['nothing.json', '..%2Fpackage.json', 'webhooks', 'x/webhooks.json']) {
    expect((await get(`/docs/vectors/${path}`)).status, path).toBe(404);
  }
});

test('the collection has a request for each documented operation, and they are accepted', async () => {
  interface Request {
    method: string;
    url: { raw: string };
    header: { key: string; value: string }[];
    body?: { raw?: string };
  }
  interface Item {
    name: string;
    item?: Item[];
    request?: Request;
  }
  const { key } = await svc.newPartner();
  const collection = (await (await get('/docs/collection.json')).json()) as Item & {
    variable: { key: string; value: string }[];
  };
  const variables = Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]));
  Object.assign(variables, { base_url: `${svc.url}/v1`, api_key: key });
  const requests = (collection.item ?? []).flatMap(({ item }) => item ?? []);
  const document = (await (await get('/v1/openapi.json')).json()) as { paths: object };
  const operations = Object.values(document.paths).flatMap((it) => Object.keys(it));
  expect(requests).toHaveLength(operations.length);
  for (const { name, request } of requests) {
    if (!request) throw new Error(`${name} has no request.`);
    const { method, url, header, body } = request;
    // Of another partner's data, or none: what counts is that path and body are the route's.
    const address = url.raw.replace(/\{\{(\w+)\}\}/g, (_, it: string) => variables[it] || 'none');
    const answer = await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...Object.fromEntries(header.map((it) => [it.key, it.value])),
      },
      ...(body ? { body: body.raw ?? 'x' } : {}),
    });
    const { error } = (await answer.json().catch(() => ({ error: null }))) as {
      error: { code: string; message: string } | null;
    };
    expect([name, answer.status < 500], error?.message).toEqual([name, true]);
    expect([name, error?.code]).not.toEqual([name, 'malformed_request']);
    if (method === 'GET' && !url.raw.includes('{{id}}') && !url.raw.includes('{{external_id}}')) {
      expect([name, answer.status], error?.message).toEqual([name, 200]);
    }
  }
});
