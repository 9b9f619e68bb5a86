import { expect, test } from 'vitest';
import { documentFile } from './document-file.ts';

const content = {
  title: 'Receipt <1>',
  locale: 'es-US',
  lines: [['De', 'Ada & "Ben"']],
  texts: [{ heading: 'Texto', text: 'one\n  two <script>', locale: 'en' }],
} as const;

test('a document is one self-contained page in its language', () => {
  const page = documentFile(content);
  expect(page).toMatch(/^<!doctype html>\n<html lang="es-US">/);
  expect(page).toContain('<div class="text" lang="en">');
  expect(page).not.toMatch(/https?:|src=|href=/);
  expect(page).toContain('@media print');
});

test('content is escaped and keeps its line breaks', () => {
  const page = documentFile(content);
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('"Ben"');
  expect(page).toContain('one\n  two &#60;script&#62;');
  expect(page).toContain('<h1>Receipt &#60;1&#62;</h1>');
});
