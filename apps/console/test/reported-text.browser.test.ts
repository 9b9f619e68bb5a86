import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

/** Right-to-left text with a direction override and a zero-width space. */
const hostile = 'מגדל\u202e 1 <b>x</b>\u200b';

/** The fields that partners and portals report. Every text in them ends with the hostile one. */
const reported = new Set([
  'external_id',
  'description',
  'name',
  'person',
  'failure_reason',
  'reason',
  'charge_id',
  'processor_transaction_id',
  'user_agent',
  'error',
  'url_before',
  'tenants',
]);

/** Every list, and one detail page of each kind. */
const pages = [
  '/',
  '/endpoints',
  '/endpoints/ep_01sample2',
  '/messages',
  '/messages/evt_01sample0002',
  '/deliveries',
  '/deliveries/evt_01sample0002/att_01sample0002_01sample2_3',
  '/replays',
  '/replays/rpl_01sample3',
  '/activity?view=audit-log',
  '/activity?view=sessions',
  '/requests',
  '/requests/req_01sample4',
  '/api-keys',
  `/tenants`,
  `/tenants/${encodeURIComponent(`t-100${hostile}`)}`,
  '/settlements',
  '/settlements/stl_01sample4',
  '/payouts',
  '/certify/crt_01sample2',
  `/time-machine?tenant=${encodeURIComponent(`t-100${hostile}`)}`,
];

/** The other pages. They show what we or the console's user have written. */
const ownPages = [
  '/endpoints/new',
  '/endpoints/ep_01sample2/edit',
  '/endpoints/ep_01sample2/verify',
  '/event-catalog',
  '/event-catalog/plan.created',
  '/testing',
  '/replays/new',
  '/debugger',
  '/appearance',
  '/origins',
  '/doctor',
  '/certify',
  '/certify/new',
];

test('the lists above have every address of the console', async () => {
  const router = await readFile(new URL('../src/router.tsx', import.meta.url), 'utf8');
  const addresses = [...router.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, path = '']) => path);
  expect(addresses.length).toBeGreaterThan(25);
  for (const path of addresses) {
    // The path of a nested route is only the end of its address.
    const end = new RegExp(`${path.replaceAll(/\$\w+/g, '[^/]+')}([?].*)?$`);
    expect(
      [...pages, ...ownPages].some((page) => end.test(page)),
      path,
    ).toBe(true);
  }
});

test('reported text neither hides nor turns around what stands beside it, on every list and page', async () => {
  const { state } = stage.service;
  const [, , paused] = state.partner.replays;
  if (!paused) throw new Error('the fixture has no third replay');
  paused.filter.external_id = 't-100';
  state.partner = withHostileText(state.partner);
  state.sessions.set('other', { read_only: true, person: hostile });
  const page = await stage.open({ path: '/' });
  for (const path of pages) {
    await page.goto(`${stage.service.origin}/portal${path}`);
    await page.getByText('מגדל').first().waitFor({ state: 'attached' });
    expect.soft(await page.evaluate(findHarmful), path).toEqual([]);
  }
  for (const path of ownPages) {
    await page.goto(`${stage.service.origin}/portal${path}`);
    await page.locator('h1').first().waitFor();
    expect.soft(await page.evaluate(findHarmful), path).toEqual([]);
  }
  await page.context().close();
});

/** Returns a copy whose reported fields end with the hostile text. Ids that refer to each other still match. */
function withHostileText<T>(value: T, field = ''): T {
  if (typeof value === 'string') return (reported.has(field) ? `${value}${hostile}` : value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withHostileText(item, field)) as T;
  const entries = Object.entries(value).map(([name, it]) => [
    name,
    // The reason in `eligibility` is one of ours, and so are the names of a certification's cases.
    name === 'eligibility' || name === 'cases' ? it : withHostileText(it, name),
  ]);
  return Object.fromEntries(entries) as T;
}

/** Returns the page's texts and labels that have hidden characters, or reverse the text around them. */
function findHarmful(): string[] {
  const hidden = /[\u200b-\u200f\u202a-\u202e\u2060-\u2065\ufeff]|\\u206[89]/;
  const isolated = /^[^\u0590-\u05ff]*(\u2068[^\u2069]*\u2069[^\u0590-\u05ff]*)*$/;
  const isHarmful = (text: string) => hidden.test(text) || !isolated.test(text);
  const found = isHarmful(document.title) ? [`title: ${document.title}`] : [];
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of ['aria-label', 'title', 'alt', 'placeholder']) {
      const label = element.getAttribute(name) ?? '';
      if (isHarmful(label)) found.push(`${name}: ${label}`);
    }
    // A JSON body is shown line by line, and each line is isolated.
    if (element.closest('.json__body, .code-file') !== null) continue;
    for (const node of element.childNodes) {
      const text = node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '';
      if (isHarmful(text)) found.push(text);
    }
  }
  return found;
}
