import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { defaultBrand } from '../src/domain/mail/brand.ts';
import { mailBrandOf, readAppearance } from '../src/domain/partners/appearance.ts';
import { useService } from './harness.ts';

const svc = await useService();
const get = (path: string) => fetch(path.startsWith('http') ? path : svc.url + path);

const none = {
  accent: null,
  radius: null,
  font: null,
  theme: 'auto',
  logo: null,
  font_file: null,
  warnings: [],
};

test('a partner stores its appearance, and the experience page carries it', async () => {
  const { key, pms } = await svc.newPartner();
  const other = await svc.newPartner();
  expect((await svc.call('GET', '/partner/appearance', { key })).data).toMatchObject(none);
  const body = { accent: '#1D4ED8', radius: 4, font: 'serif', theme: 'dark' };
  const stored = { ...body, accent: '#1d4ed8' };
  const put = await svc.call('PUT', '/partner/appearance', { key, body });
  expect(put).toMatchObject({ status: 200, data: stored });
  expect(put.data.colors.light).toMatchObject({ accent: '#1d4ed8', on_accent: '#ffffff' });
  expect((await svc.call('GET', '/partner/appearance', { key })).data).toEqual(put.data);
  expect((await svc.call('GET', '/partner/appearance', { key: other.key })).data).toMatchObject(
    none,
  );
  const html = await (await get(`/experience/${pms}`)).text();
  expect(html).toContain('name="svc-partner"');
  expect(metaOf(html)).toEqual({ ...stored, logo: null, font_file: null });
  // A field that is left out gets its default.
  const again = await svc.call('PUT', '/partner/appearance', { key, body: { radius: 0 } });
  expect(again.data).toMatchObject({ ...none, radius: 0 });
  const log = await svc.call('GET', '/webhooks/audit_log?group=partner', { key });
  expect(log.data.items[0]).toMatchObject({
    action: 'partner.appearance_changed',
    via: 'key',
    details: { accent: 'default', accent_before: '#1d4ed8', radius: 0, radius_before: 4 },
  });
});

test('an accent without contrast is answered with the color that is used instead', async () => {
  const { key } = await svc.newPartner();
  const warningsFor = async (accent: string) => {
    const { data } = await svc.call('PUT', '/partner/appearance', { key, body: { accent } });
    return data.warnings.map(({ code, theme, used }: Record<string, string>) => [
      code,
      theme,
      used === data.colors[theme ?? ''].accent,
    ]);
  };
  expect(await warningsFor('#fde047')).toEqual([['accent_adjusted', 'light', true]]);
  expect(await warningsFor('#0a0a0a')).toEqual([['accent_adjusted', 'dark', true]]);
  expect(await warningsFor('#fefefe')).toEqual([['accent_adjusted', 'light', true]]);
});

test.each([
  [{ accent: 'red' }, 'accent'],
  [{ accent: 'url(https://a.example)' }, 'accent'],
  [{ radius: 25 }, 'radius'],
  [{ radius: 1.5 }, 'radius'],
  [{ font: 'Acme Sans' }, 'font'],
  [{ theme: 'sepia' }, 'theme'],
  [{ logo: 'https://a.example/logo.png' }, 'logo'],
])('an appearance of %j is refused', async (body, param) => {
  const { key } = await svc.newPartner();
  expect(await svc.call('PUT', '/partner/appearance', { key, body })).toMatchObject({
    status: 422,
    error: { code: 'validation_failed', errors: [{ param }] },
  });
});

test('a logo is served forever at its hash, without what does not belong to the picture', async () => {
  const { key, pms } = await svc.newPartner();
  const upload = (bytes: Uint8Array) => putLogo(key, bytes);
  const first = await upload(
    png({
      width: 32,
      height: 8,
      extra: [
        ['tEXt', 'Author\0Ada'],
        ['pHYs', 'Ada Lane!'],
      ],
    }),
  );
  expect(first).toMatchObject({ status: 200, data: { logo: { width: 32, height: 8 } } });
  const { url } = first.data.logo;
  expect(url).toMatch(new RegExp(`/brand/${pms}/[0-9a-f]{64}\\.png$`));
  const file = await get(new URL(url).pathname);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(/[0-9a-f]{64}/.exec(url)?.[0]);
  expect(bytes.includes('Ada')).toBe(false);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const page = await get(`/experience/${pms}`);
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:;");
  expect(metaOf(await page.text()).logo).toEqual({
    url: new URL(url).pathname,
    width: 32,
    height: 8,
  });
  // A replaced logo stays, because mails that were sent show it.
  const second = await upload(png({ width: 8, height: 8 }));
  expect(second.data.logo.url).not.toBe(url);
  expect((await get(new URL(url).pathname)).status).toBe(200);
  // Back to the first one, then the same file again, which changes nothing.
  expect((await upload(bytes)).data.logo.url).toBe(url);
  expect((await upload(bytes)).data.logo.url).toBe(url);
  const other = await svc.newPartner();
  const elsewhere = new URL(url).pathname.replace(pms, other.pms);
  expect((await get(elsewhere)).status).toBe(404);
  const removed = await svc.call('DELETE', '/partner/appearance/logo', { key });
  expect(removed.data.logo).toBeNull();
  expect((await get(new URL(url).pathname)).status).toBe(404);
  const log = await svc.call('GET', '/webhooks/audit_log?group=partner', { key });
  const actions = log.data.items.map(({ action }: { action: string }) => action);
  const uploaded = Array(3).fill('partner.logo_uploaded');
  expect(actions.filter((one: string) => one.includes('logo'))).toEqual([
    'partner.logo_removed',
    ...uploaded,
  ]);
});

test('mails take the stored accent, adjusted for light and dark, and the address of the logo', async () => {
  const { key, id } = await svc.newPartner();
  const brand = async () => mailBrandOf(await readAppearance(svc.db, id), 'https://svc.example');
  const { name: _, ...ours } = defaultBrand({ name: '', pms: '' });
  expect(await brand()).toEqual(ours);
  await svc.call('PUT', '/partner/appearance', { key, body: { accent: '#fde047' } });
  await putLogo(key, png({ width: 4, height: 4 }));
  expect(await brand()).toEqual({
    light: { accent: '#9e8b29', onAccent: '#000000' },
    dark: { accent: '#fde047', onAccent: '#000000' },
    logo: {
      url: expect.stringMatching(/^https:\/\/svc\.example\/brand\/[\w-]+\/[0-9a-f]{64}\.png$/),
      width: 4,
      height: 4,
    },
  });
});

test('PNGs of every color type are accepted, interlaced ones too', async () => {
  const { key } = await svc.newPartner();
  for (const [colorType, depth] of [
    [0, 1],
    [2, 16],
    [3, 4],
    [4, 8],
    [6, 8],
  ] as const) {
    for (const interlace of [0, 1]) {
      const bytes = png({ width: 13, height: 5, colorType, depth, interlace });
      const { status, error } = await putLogo(key, bytes);
      expect([colorType, depth, interlace, status, error]).toMatchObject([
        colorType,
        depth,
        interlace,
        200,
        null,
      ]);
    }
  }
});

const good = png({ width: 16, height: 16 });
const damaged = Buffer.from(good);
damaged[40] = (damaged[40] ?? 0) ^ 1;

test.each([
  ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), /not a PNG/],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a PNG/],
  ['a signature alone', good.subarray(0, 8), /no header/],
  ['a cut file', good.subarray(0, good.length - 6), /ends early/],
  ['a file without an end', good.subarray(0, good.length - 12), /incomplete/],
  ['a wrong checksum', damaged, /checksum/],
  ['data after the end', Buffer.concat([good, Buffer.from('<script>')]), /after its end/],
  [
    'an animation',
    png({ width: 4, height: 4, extra: [['acTL', '\0\0\0\u0002\0\0\0\0']] }),
    /still/,
  ],
  ['an unknown critical part', png({ width: 4, height: 4, extra: [['ABCD', 'x']] }), /not define/],
  ['a huge picture', png({ width: 1025, height: 1 }), /1025 × 1 px/],
  [
    'too many pixels',
    png({ width: 8, height: 8, pixels: Buffer.alloc(5_000_000) }),
    /decompressed/,
  ],
  ['too few pixels', png({ width: 8, height: 8, pixels: Buffer.alloc(9) }), /fewer pixels/],
  [
    'data after the pixels',
    png({ width: 8, height: 8, afterPixels: '<script>' }),
    /after its pixels/,
  ],
  ['a long gamma', png({ width: 8, height: 8, extra: [['gAMA', '<script>']] }), /8 bytes of gAMA/],
  [
    'two gammas',
    png({
      width: 8,
      height: 8,
      extra: [
        ['gAMA', '\0\0\0\u0001'],
        ['gAMA', '<b/>'],
      ],
    }),
    /gAMA twice/,
  ],
  ['no pixels', png({ width: 8, height: 0 }), /empty/],
  ['an unknown color type', png({ width: 8, height: 8, colorType: 2, depth: 4 }), /color type/],
  [
    'a palette that is missing',
    png({ width: 8, height: 8, colorType: 3, palette: false }),
    /palette/,
  ],
  ['more than 64 kB', Buffer.concat([good, Buffer.alloc(65_536)]), /at most 65536/],
])('%s is no logo', async (_, bytes, message) => {
  const { key } = await svc.newPartner();
  const answer = await putLogo(key, bytes);
  expect(answer).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
  expect(answer.error?.message).toMatch(message);
  expect((await svc.call('GET', '/partner/appearance', { key })).data.logo).toBeNull();
});

test('only the file itself is accepted, with its own media type', async () => {
  const { key } = await svc.newPartner();
  const at = '/partner/appearance/logo';
  for (const type of ['application/json', 'font/woff2', 'multipart/form-data', 'image/svg+xml']) {
    const headers = { 'content-type': type };
    const answer = await svc.call('PUT', at, { key, body: good, headers });
    expect([type, answer.status, answer.error?.code]).toEqual([
      type,
      415,
      'unsupported_media_type',
    ]);
  }
  const onJson = await svc.call('PUT', '/partner/appearance', {
    key,
    body: good,
    headers: { 'content-type': 'image/png' },
  });
  expect(onJson.status).toBe(415);
  const large = await putLogo(key, Buffer.alloc(300_000));
  expect(large).toMatchObject({ status: 413, error: { code: 'payload_too_large' } });
});

test('a font is served to our own pages', async () => {
  const { key, pms } = await svc.newPartner();
  const stored = await putFont(key, woff2());
  const { url } = stored.data.font_file;
  const file = await get(new URL(url).pathname);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'font/woff2',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  const page = await get(`/experience/${pms}`);
  expect(page.headers.get('content-security-policy')).toContain("font-src 'self';");
  expect(metaOf(await page.text()).font_file).toEqual({ url: new URL(url).pathname });
  expect((await svc.call('DELETE', '/partner/appearance/font', { key })).data.font_file).toBeNull();
  expect((await get(new URL(url).pathname)).status).toBe(404);
});

test.each([
  ['a TrueType font', Buffer.concat([Buffer.from('00010000', 'hex'), Buffer.alloc(60)]), /WOFF2/],
  ['a cut font', woff2().subarray(0, 50), /valid WOFF2/],
  ['a font that unpacks to 1 GB', woff2({ decoded: 1_000_000_000 }), /valid WOFF2/],
  ['a collection', woff2({ flavor: 0x74746366 }), /valid WOFF2/],
  ['more than 200 kB', woff2({ length: 204_801 }), /at most 204800/],
])('%s is no font', async (_, bytes, message) => {
  const { key } = await svc.newPartner();
  const answer = await putFont(key, bytes);
  expect(answer).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
  expect(answer.error?.message).toMatch(message);
});

function putLogo(key: string, body: Uint8Array) {
  const headers = { 'content-type': 'image/png' };
  return svc.call('PUT', '/partner/appearance/logo', { key, body, headers });
}

function putFont(key: string, body: Uint8Array) {
  const headers = { 'content-type': 'font/woff2' };
  return svc.call('PUT', '/partner/appearance/font', { key, body, headers });
}

/** The appearance that the server writes into the experience's page. */
function metaOf(html: string) {
  const content = /<meta name="svc-appearance" content="([^"]*)"/.exec(html)?.[1] ?? '';
  return JSON.parse(content.replaceAll('&quot;', '"'));
}

interface PngOptions {
  width: number;
  height: number;
  colorType?: number;
  depth?: number;
  interlace?: number;
  palette?: boolean;
  /** Further chunks before the pixels. */
  extra?: [type: string, data: string][];
  /** Other pixels than the header announces. */
  pixels?: Buffer;
  /** Bytes behind the compressed pixels, in their chunk. */
  afterPixels?: string;
}

/** A PNG of one color. */
function png({ width, height, colorType = 6, depth = 8, interlace = 0, ...rest }: PngOptions) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlace], 8);
  const samples = [1, 0, 3, 1, 2, 0, 4][colorType] ?? 1;
  const lines = (columns: number, count: number) =>
    columns > 0 ? count * (1 + Math.ceil((columns * samples * depth) / 8)) : 0;
  const every = (size: number, from: number, step: number) => {
    let count = 0;
    for (let at = from; at < size; at += step) count += 1;
    return count;
  };
  const passes: [number, number, number, number][] = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  const length = interlace
    ? passes
        .map(([x, y, dx, dy]) => lines(every(width, x, dx), every(height, y, dy)))
        .reduce((a, b) => a + b)
    : lines(width, height);
  const { palette = colorType === 3, extra = [], pixels = Buffer.alloc(length) } = rest;
  const { afterPixels = '' } = rest;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', Buffer.alloc(12))] : []),
    ...extra.map(([type, data]) => chunk(type, Buffer.from(data, 'latin1'))),
    chunk('IDAT', Buffer.concat([deflateSync(pixels), Buffer.from(afterPixels)])),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The header of a WOFF2 file, with nothing behind it. */
function woff2({ flavor = 0x00010000, length = 64, decoded = 100 } = {}): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write('wOF2', 'latin1');
  bytes.writeUInt32BE(flavor, 4);
  bytes.writeUInt32BE(length, 8);
  bytes.writeUInt16BE(1, 12);
  bytes.writeUInt32BE(decoded, 16);
  bytes.writeUInt32BE(length - 48, 20);
  return bytes;
}
