import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ApiDocument, operationsOf } from './document.ts';
import { escapeHtml } from './inline.ts';
import { renderReference } from './render-reference.ts';

const schema = { $ref: '#/components/schemas/Thing' };
const result = { $ref: '#/components/schemas/CreateThingResult' };
const document: ApiDocument = {
  info: { title: 'Things', description: 'Use **your** key in `Authorization`.' },
  servers: [{ url: 'http://localhost:4000/v1' }],
  tags: [{ name: 'Things', description: 'What there is.' }],
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'createThing',
        summary: 'Create a thing <b>',
        description: 'Makes a `thing`.',
        tags: ['Things'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 't-1' },
          { $ref: '#/components/parameters/Key' },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema,
              examples: {
                request: { value: { n: 1 } },
                many: { summary: 'Create many', value: { n: 99 } },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'Done.',
            content: {
              'application/json': {
                schema: result,
                examples: { response: { value: { error: null, data: { n: 1 } } } },
              },
            },
          },
          404: {
            description: 'Gone.',
            content: { 'application/json': { examples: { thing_not_found: {} } } },
          },
        },
        'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: "curl '<url>'" }],
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        description: 'A thing.',
        required: ['n'],
        additionalProperties: false,
        properties: {
          n: { type: 'integer', minimum: 1, description: 'How many.' },
          next: { anyOf: [schema, { type: 'null' }], description: 'The next one.' },
        },
      },
      CreateThingResult: { properties: { data: schema } },
    },
    parameters: {
      Key: { name: 'Key', in: 'header', required: false, schema: { type: 'string' } },
    },
    examples: { thing_not_found: { summary: 'There is no such thing.' } },
  },
};

const { html, headings, search, markdown } = renderReference(
  document,
  (code, language) => `<pre data-language="${language}">${escapeHtml(code)}</pre>`,
);

test('it shows each operation with fields, errors, a request, a response and a form', () => {
  for (const part of [
    '<h3 id="createThing">',
    'Create a thing &lt;b&gt;',
    'Makes a <code>thing</code>.',
    '<a href="/docs/errors#thing_not_found">',
    'There is no such thing.',
    '<span class="field-required">required</span>',
    '<a href="#schema-Thing">Thing</a> or null',
    'At least 1.',
    '<pre data-language="sh">curl &#39;&lt;url&gt;&#39;</pre>'.replaceAll('&#39;', "'"),
    '<form data-method="POST" data-path="/things/{id}"',
    '<pre data-language="json">{\n  &quot;n&quot;: 99\n}</pre>',
  ]) {
    expect(html).toContain(part);
  }
  expect(operationsOf(document)).toHaveLength(1);
  expect(headings.map(({ text }) => text)).toEqual(['Things', 'Objects']);
  expect(search).toMatchObject([{ url: '/docs/api#createThing', heading: 'Create a thing <b>' }]);
  expect(markdown).toContain('`POST /things/{id}` (`createThing`)');
  expect(markdown).toContain('**Body: Create many**\n\n```json\n{\n  "n": 99\n}\n```');
});

test('ids are unique, links on the page lead somewhere, and nothing is inline', () => {
  const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  expect(html).not.toMatch(/<script|<style| style=| on\w+="/);
});

test('the key of a tried request is never stored', () => {
  const script = readFileSync(new URL('try-it.ts', import.meta.url), 'utf8');
  expect(script).not.toMatch(/localStorage|sessionStorage|document\.cookie|remember\(/);
});
