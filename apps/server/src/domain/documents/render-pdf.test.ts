import { expect, test } from 'vitest';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { renderPdf } from './render-pdf.ts';

const look = { name: 'Elm Residents', accent: '#1d4ed8', logo: null, lender: 'Lender, 1 Main St' };
const base = {
  title: 'Title',
  locale: 'en' as const,
  createdAt: new Date('2026-02-01T12:00:00Z'),
};

test('the same content and look give the same bytes', async () => {
  const content = { ...base, blocks: [{ kind: 'lead' as const, text: 'Text' }] };
  const [first, second] = await Promise.all([renderPdf(content, look), renderPdf(content, look)]);
  expect(second.equals(first)).toBe(true);
  const other = await renderPdf(content, { ...look, accent: '#b91c1c' });
  expect(other.equals(first)).toBe(false);
});

test('a value longer than a page continues on the next ones', async () => {
  const terms = [
    { term: 'Name', value: 'W'.repeat(20_000) },
    { term: 'Next', value: 'row' },
  ];
  const pdf = await renderPdf({ ...base, blocks: [{ kind: 'terms', terms }] }, look);
  const { text, pages } = readPdf(pdf);
  // No word is longer than 100 characters, because wrapping it takes quadratic time.
  expect(text.replaceAll(/[^W]/g, '')).toHaveLength(20_000);
  expect(text.endsWith('Next\nrow')).toBe(true);
  expect(pages).toBeGreaterThan(2);
});

test('the structure is in reading order, and what is not content is marked so', async () => {
  const pdf = await renderPdf(
    {
      ...base,
      blocks: [
        { kind: 'heading', text: 'Heading' },
        { kind: 'list', items: ['one', 'two'] },
        { kind: 'bullets', items: ['three'] },
        {
          kind: 'table',
          head: ['Day', 'Paid'],
          rows: [['Monday', '$1.00']],
          total: ['All', '$1.00'],
        },
        { kind: 'bar', segments: [{ share: 1, state: 'now' }], alt: 'Payment 1 of 1' },
        { kind: 'paragraph', text: '' },
        { kind: 'note', text: 'Small print' },
      ],
    },
    look,
  );
  const { text, tags } = readPdf(pdf);
  expect(text.replaceAll('\n', ' ')).toBe(
    'Elm Residents Title Heading 1. one 2. two • three Day Paid Monday $1.00 All $1.00 Small print',
  );
  expect(tags.filter((tag) => tag === 'TH')).toHaveLength(4);
  expect(pdf.toString('latin1')).toContain('/Alt (Payment 1 of 1)');
});
