import { expect, test } from 'vitest';
import { documentBlocks } from './document-blocks.ts';

test('headings, terms, lists and paragraphs are told apart', () => {
  const text =
    'AGREEMENT\n\nPlan: pln_1\nLender: A: B\n\n  1. May 1: $2\n2. May 9: $3\n\nYou owe it.';
  expect(documentBlocks(text)).toEqual([
    { kind: 'heading', text: 'AGREEMENT' },
    {
      kind: 'terms',
      terms: [
        { term: 'Plan', value: 'pln_1' },
        { term: 'Lender', value: 'A: B' },
      ],
    },
    { kind: 'list', items: ['May 1: $2', 'May 9: $3'] },
    { kind: 'paragraph', text: 'You owe it.' },
  ]);
});

test('an agreement of an earlier version stays readable, with every word', () => {
  const text =
    'Creditor: Maple Bank\n\nAPR: 90%\nTotal: $5\n\nPayment schedule, 2 payments:\n  1. May 1: $2\n  2. May 9: $3\n\nQuestions: help@maple.example';
  const blocks = documentBlocks(text);
  expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'terms', 'paragraph', 'paragraph']);
  for (const word of text.split(/\s+|: /)) expect(JSON.stringify(blocks)).toContain(word);
});
