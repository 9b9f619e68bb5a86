import { escapeHtml } from '../../domain/escape-html.ts';
import { listEventTypes } from '../../domain/index.ts';
import { jsonBlock } from '../pages/html-page.ts';
import { docsPage } from './docs-page.ts';

/** Renders every webhook event type with an example and its schema; the name is its anchor. */
export function eventsPage(): string {
  const types = listEventTypes().items;
  return docsPage('/docs/events', 'Webhook event types', [
    '<h1>Webhook event types</h1>',
    '<p>Each is a POST to your endpoints. Verify its signature, answer 2xx within 15 seconds, and handle a repeated <code>webhook-id</code> once.</p>',
    `<nav><ul>${types.map(({ name }) => `<li><a href="#${name}">${name}</a></li>`).join('')}</ul></nav>`,
    ...types.map(({ name, description, example, schema }) =>
      [
        `<section id="${name}">`,
        `<h2><code>${name}</code></h2>`,
        `<p>${escapeHtml(description)}</p>`,
        '<h3>Example <code>data</code></h3>',
        jsonBlock(example),
        `<details><summary>JSON Schema</summary>${jsonBlock(schema)}</details>`,
        '</section>',
      ].join('\n'),
    ),
  ]);
}
