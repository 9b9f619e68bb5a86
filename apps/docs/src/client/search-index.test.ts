import { expect, test } from 'vitest';
import { createIndex, type Entry, find } from './search-index.ts';

const entry = (url: string, heading: string, text: string): Entry => ({
  url,
  page: 'A page',
  heading,
  text,
});

const index = await createIndex([
  entry('/docs/operate/upgrade', 'Migrate', 'svc-admin migrate apply has a limit of one second'),
  entry('/docs/operate/configuration', 'Limits', 'SVC_RATE_LIMIT_PER_SECOND is the rate limit'),
  entry('/docs/api-basics#rate-limits', 'Rate limits', 'Each key may make 200 requests'),
  entry('/docs/events#settlement.created', 'settlement.created', 'We owe the landlord'),
  entry('/docs/settlements', 'Settlements', 'Debit and report'),
]);
const urls = (query: string) => find(index, query).map(({ url }) => url);

test('"rate limit" finds the page about it first, and no page that only migrates', () => {
  expect(urls('rate limit')).toEqual([
    '/docs/api-basics#rate-limits',
    '/docs/operate/configuration',
  ]);
  expect(urls('rate limits')[0]).toBe('/docs/api-basics#rate-limits');
});

test('the beginning of a word is enough, and the end is not', () => {
  expect(urls('settle')).toContain('/docs/settlements');
  expect(urls('lement')).toEqual([]);
  expect(urls('rate')).not.toContain('/docs/operate/upgrade');
});

test('a name is found whole and by its parts', () => {
  expect(urls('settlement.created')[0]).toBe('/docs/events#settlement.created');
  expect(urls('created')).toEqual(['/docs/events#settlement.created']);
});

test('one wrong letter in a long word is forgiven, if nothing matches it as it is', () => {
  expect(urls('setlement')).toContain('/docs/events#settlement.created');
  expect(urls('rote limit')).toEqual([]);
});
