import { expect, test } from 'vitest';
import { documentFile } from './document-file.ts';

const content = {
  title: 'Receipt <1>',
  locale: 'es-US',
  lines: [['De', 'Ada & "Ben"']],
  texts: [{ heading: 'Texto', text: 'one\n  two <script>', locale: 'en' }],
} as const;

test('a document is one self-contained page in its language', () => {
  const page = documentFile(content, null);
  expect(page).toMatch(/^<!doctype html>\n<html lang="es-US">/);
  expect(page).toContain('<div class="text" lang="en">');
  expect(page).not.toMatch(/https?:|src=|href=/);
  expect(page).toContain('@media print');
});

test('the head has the name of the partner, and the logo within the file', () => {
  const dataUrl = 'data:image/png;base64,iVBORw0KGgo=';
  const logo = { dataUrl, width: 96, height: 32 };
  const page = documentFile(content, { name: 'Elm <Residents>', accent: '#1d4ed8', logo });
  expect(page).toContain(
    `<header style="border-color:#1d4ed8"><img src="${dataUrl}" width="96" height="32" alt=""><span>Elm &#60;Residents&#62;</span></header>`,
  );
  const plain = documentFile(content, { name: 'Elm', accent: null, logo: null });
  expect(plain).toContain('<header><span>Elm</span></header>');
});

test('content is escaped and keeps its line breaks', () => {
  const page = documentFile(content, null);
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('"Ben"');
  expect(page).toContain('one\n  two &#60;script&#62;');
  expect(page).toContain('<h1>Receipt &#60;1&#62;</h1>');
});
