import { type ApiDocument, nameOf, type Schema } from './document.ts';
import { escapeHtml, inline } from './inline.ts';

/** A field of an object, or a parameter. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description?: string | undefined;
  /** `path`, `query` or `header` for a parameter. */
  readonly place?: string;
}

/** Renders fields as a description list: name, type, whether it is required, meaning, limits and values. */
export function fieldList(fields: readonly Field[], document: ApiDocument): string {
  const items = fields.map(({ name, schema, required, description, place }) => {
    const named = document.components.schemas[nameOf(schema) ?? ''];
    const text = description ?? schema.description ?? named?.description ?? '';
    const notes = [...limitsOf(schema), ...valuesOf(schema, document)];
    return [
      '<div class="field">',
      `<dt><code class="field-name">${escapeHtml(name)}</code> <span class="field-type">${typeOf(schema, document)}</span>${place === undefined ? '' : ` <span class="field-type">in ${place}</span>`}${required ? ' <span class="field-required">required</span>' : ''}</dt>`,
      `<dd>${inline(text)}${notes.length === 0 ? '' : ` <span class="field-notes">${notes.join(' ')}</span>`}</dd>`,
      '</div>',
    ].join('');
  });
  return `<dl class="fields">${items.join('\n')}</dl>`;
}

/** Renders fields as a Markdown list, for readers of the page's text. */
export function fieldLines(fields: readonly Field[], document: ApiDocument): string {
  const lines = fields.map(({ name, schema, required, description, place }) => {
    const named = document.components.schemas[nameOf(schema) ?? ''];
    const text = description ?? schema.description ?? named?.description ?? '';
    const notes = [...limitsOf(schema), ...valuesOf(schema, document)].map(withoutTags);
    const kind = [
      plainTypeOf(schema, document),
      ...(place === undefined ? [] : [`in ${place}`]),
      ...(required ? ['required'] : []),
    ];
    return `- \`${name}\` (${kind.join(', ')}): ${[text, ...notes].join(' ')}`.trimEnd();
  });
  return lines.join('\n');
}

/** Returns the type as text: "string", "list of Plan", "integer or null". */
export function plainTypeOf(schema: Schema, document: ApiDocument): string {
  return withoutTags(typeOf(schema, document));
}

function withoutTags(html: string): string {
  return html
    .replace(/<summary>[^<]*<\/summary>/g, 'Values: ')
    .replace(/<\/code>\s*<code>/g, '`, `')
    .replace(/<\/?code>/g, '`')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Returns the fields of an object. With `showRequired`, those that a request must have are marked. */
export function fieldsOf(schema: Schema, { showRequired }: { showRequired: boolean }): Field[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, field]) => !('not' in field))
    .map(([name, field]) => ({
      name,
      schema: field,
      required: showRequired && (schema.required ?? []).includes(name),
    }));
}

/** Returns the type as HTML: "string", "list of Plan", "integer or null". Objects are links. */
export function typeOf(schema: Schema, document: ApiDocument): string {
  const name = nameOf(schema);
  if (name !== undefined) {
    const target = document.components.schemas[name];
    if (target && isLink(target)) return `<a href="#schema-${name}">${name}</a>`;
    return target ? typeOf(target, document) : escapeHtml(name);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const types = choices.map((choice) => typeOf(choice, document));
    return [...new Set(types)].join(' or ');
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  const types = [schema.type ?? (schema.enum ? 'string' : 'any')].flat();
  return types.map((type) => plainType(type, schema, document)).join(' or ');
}

/** Returns whether a schema has its own section, as objects and unions do. Enumerations are shown in place. */
export function isLink(schema: Schema): boolean {
  return schema.properties !== undefined || schema.oneOf !== undefined;
}

function plainType(type: string, schema: Schema, document: ApiDocument): string {
  if (type === 'array') return `list of ${schema.items ? typeOf(schema.items, document) : 'any'}`;
  if (type === 'object') return schema.properties ? 'object' : 'map';
  if (schema.format === 'date') return 'date';
  if (schema.format === 'date-time') return 'instant';
  if (schema.format === 'uri') return 'URL';
  return type;
}

const limitNames = {
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'at least',
  maxLength: 'at most',
  minItems: 'at least',
  maxItems: 'at most',
} as const;

function limitsOf(schema: Schema): string[] {
  const { default: fallback } = schema;
  const shown = (Object.keys(limitNames) as (keyof typeof limitNames)[]).flatMap((key) => {
    const value = schema[key];
    // Two limits are obvious and left out: a text must not be empty, and integers must be safe.
    if (value === undefined || (key === 'minLength' && value <= 1)) return [];
    if (Math.abs(value) >= 1_000_000_000) return [];
    const unit = key.endsWith('Length') ? ' characters' : key.endsWith('Items') ? ' items' : '';
    return [`${limitNames[key]} ${value.toLocaleString('en-US')}${unit}`];
  });
  const limits = shown.length === 0 ? [] : [`${capitalize(shown.join(', '))}.`];
  if (fallback === undefined || fallback === null) return limits;
  return [...limits, `Default: <code>${escapeHtml(JSON.stringify(fallback))}</code>.`];
}

function valuesOf(schema: Schema, document: ApiDocument): string[] {
  const named = document.components.schemas[nameOf(schema) ?? ''];
  if (named && !isLink(named)) return valuesOf(named, document);
  const choice = schema.anyOf?.find((it) => it.type !== 'null');
  if (choice) return valuesOf(choice, document);
  const values = schema.enum ?? schema['x-extensible-enum'] ?? schema.items?.enum;
  if (!values) return [];
  const list = values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ');
  const label = schema['x-extensible-enum'] ? 'Known values' : 'Values';
  if (values.length <= 8) return [`${label}: ${list}`];
  return [`<details class="values"><summary>${values.length} values</summary>${list}</details>`];
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
