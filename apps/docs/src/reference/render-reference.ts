import {
  type ApiDocument,
  type ApiOperation,
  nameOf,
  type Operation,
  operationsOf,
  parametersOf,
  type Schema,
} from './document.ts';
import { escapeHtml, inline, paragraphs } from './inline.ts';
import { fieldLines, fieldList, fieldsOf, isLink, plainTypeOf, typeOf } from './render-schema.ts';

/** Renders code as HTML: a `<figure class="code">` with a caption. */
type RenderCode = (code: string, language: string, title: string) => string;

export interface Reference {
  readonly html: string;
  readonly headings: readonly { depth: number; id: string; text: string }[];
  readonly search: readonly { url: string; page: string; heading: string; text: string }[];
  readonly markdown: string;
}

const languages: Readonly<Record<string, string>> = { Shell: 'sh', JavaScript: 'js', Python: 'py' };

/**
 * Renders an OpenAPI document as the page `/docs/api`: an overview, each operation with its fields,
 * errors, requests in several languages and an example response, and each object once. It needs no
 * script; `try-it.ts` adds the filter and the form that sends requests.
 */
export function renderReference(document: ApiDocument, renderCode: RenderCode): Reference {
  const operations = operationsOf(document);
  const tags = document.tags.filter(({ name }) =>
    operations.some(({ operation }) => operation.tags.includes(name)),
  );
  const operationsOfTag = (tag: string) =>
    operations.filter(({ operation }) => operation.tags.includes(tag));
  const objects = Object.entries(document.components.schemas).filter(([, it]) => isLink(it));
  const described = objects.filter(([name]) => !name.endsWith('Result') && !isEvent(name));
  const anchors = new Set<string>();
  const html = [
    `<div class="reference-intro">${paragraphs(document.info.description)}</div>`,
    overview(tags, operationsOfTag),
    ...tags.map(({ name, description }) =>
      [
        `<section class="reference-tag"><h2 id="${tagId(name)}">${anchor(tagId(name), name)}</h2>`,
        `<p>${inline(description)}</p>`,
        ...operationsOfTag(name).map((one) => renderOperation(one, document, renderCode, anchors)),
        '</section>',
      ].join('\n'),
    ),
    `<section class="reference-tag"><h2 id="objects">${anchor('objects', 'Objects')}</h2>`,
    '<p>The objects of requests and responses, by name. Responses may have more fields than these: ignore what you do not know.</p>',
    ...described.map(([name, schema]) => renderObject(name, schema, document)),
    '</section>',
  ].join('\n');
  return {
    html,
    headings: [
      ...tags.map(({ name }) => ({ depth: 2, id: tagId(name), text: name })),
      { depth: 2, id: 'objects', text: 'Objects' },
    ],
    search: operations.map(({ method, path, operation }) => ({
      url: `/docs/api#${operation.operationId}`,
      page: 'API reference',
      heading: operation.summary,
      text: `${method} ${path} ${operation.operationId} ${operation.description ?? ''}`,
    })),
    markdown: toMarkdown(document, tags, operationsOfTag, described),
  };
}

/** Returns whether a schema describes an event. Events have their own page. */
function isEvent(name: string): boolean {
  return name !== 'Event' && /(Event|Data)$/.test(name) && name !== 'CustomEvent';
}

function overview(
  tags: ApiDocument['tags'],
  operationsOfTag: (tag: string) => readonly Operation[],
): string {
  const groups = tags.map(({ name }) => {
    const items = operationsOfTag(name).map(
      ({ method, path, operation }) =>
        `<li data-find="${escapeHtml(`${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase())}"><a href="#${operation.operationId}">${methodBadge(method)}<span class="overview-text"><span class="overview-summary">${escapeHtml(operation.summary)}</span><code>${breakable(path)}</code></span></a></li>`,
    );
    return `<section class="overview-group"><h2>${escapeHtml(name)}</h2><ul>${items.join('\n')}</ul></section>`;
  });
  return [
    '<nav class="overview" aria-label="Operations">',
    '<label class="overview-filter" hidden>Find an operation<input type="search" autocomplete="off" placeholder="settlement, /webhooks, createRefund …"></label>',
    '<p class="overview-count" role="status" hidden></p>',
    ...groups,
    '</nav>',
  ].join('\n');
}

function renderOperation(
  { method, path, operation }: Operation,
  document: ApiDocument,
  renderCode: RenderCode,
  anchors: Set<string>,
): string {
  const { operationId: id, summary, description = '', deprecated } = operation;
  // Former links used the first word of the path as their anchor.
  const formerId = formerAnchor(path);
  const formerTarget = anchors.has(formerId) ? '' : `<span id="${formerId}"></span>`;
  anchors.add(formerId);
  return [
    `<article class="operation" aria-labelledby="${id}">`,
    formerTarget,
    `<h3 id="${id}">${anchor(id, summary)}</h3>`,
    `<p class="operation-path">${methodBadge(method)} <code>${breakable(path)}</code>${deprecated ? ' <span class="deprecated">Deprecated</span>' : ''}</p>`,
    '<div class="beside"><div class="beside-text">',
    paragraphs(description),
    parameters(operation, document),
    requestBody(operation, document),
    response(operation, document),
    errors(operation, document),
    '</div>',
    '<div class="beside-code">',
    samples(operation, renderCode),
    ...otherRequests(operation).map(({ title, json }) => renderCode(json, 'json', title)),
    exampleResponse(operation, renderCode),
    tryIt({ method, path, operation }, document),
    '</div></div>',
    '</article>',
  ].join('\n');
}

function parameters(operation: ApiOperation, document: ApiDocument): string {
  const all = parametersOf(document, operation);
  if (all.length === 0) return '';
  const fields = all.map((it) => ({ ...it, place: it.in }));
  return `<h4>Parameters</h4>${fieldList(fields, document)}`;
}

function requestBody(operation: ApiOperation, document: ApiDocument): string {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || !media) return '';
  if (type !== 'application/json') {
    return `<h4>Body</h4><p>The bytes of the file, as <code>${escapeHtml(type)}</code>.</p>`;
  }
  const schema =
    document.components.schemas[nameOf(media.schema ?? {}) ?? ''] ?? media.schema ?? {};
  return `<h4>Body</h4>${fieldList(fieldsOf(schema, { showRequired: true }), document)}`;
}

function response(operation: ApiOperation, document: ApiDocument): string {
  const [type, media] = Object.entries(operation.responses['200']?.content ?? {})[0] ?? [];
  if (type !== 'application/json') {
    return `<h4>Response</h4><p>A file, as <code>${escapeHtml(type ?? '')}</code>.</p>`;
  }
  const body = document.components.schemas[nameOf(media?.schema ?? {}) ?? ''];
  const data = body?.properties?.data;
  if (!data || data.type === 'null') return '<h4>Response</h4><p><code>data</code> is null.</p>';
  const object = document.components.schemas[nameOf(data) ?? ''];
  const summary = `<code>data</code> is ${article(typeOf(data, document))}. ${inline(object?.description ?? '')}`;
  return object
    ? `<h4>Response</h4><p>${summary}</p><details class="response-fields"><summary>Fields of the response</summary>${fieldList(fieldsOf(object, { showRequired: false }), document)}</details>`
    : `<h4>Response</h4><p>${summary}</p>`;
}

function article(type: string): string {
  const name = type.replace(/<[^>]+>/g, '');
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${type}`;
}

function errors({ responses }: ApiOperation, document: ApiDocument): string {
  const rows = Object.entries(responses).flatMap(([status, { content = {} }]) => {
    if (status === '200') return [];
    const codes = Object.keys(content['application/json']?.examples ?? {});
    return codes.map((code) => {
      const meaning = document.components.examples[code]?.summary ?? '';
      return `<tr><td>${status}</td><td><a href="/docs/errors#${code}"><code>${code}</code></a></td><td>${inline(meaning)}</td></tr>`;
    });
  });
  return [
    `<details class="operation-errors"><summary>Errors (${rows.length} codes)</summary>`,
    '<div class="table" tabindex="0" role="group" aria-label="Errors"><table>',
    '<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>',
    `<tbody>${rows.join('\n')}</tbody></table></div></details>`,
  ].join('\n');
}

function samples(operation: ApiOperation, renderCode: RenderCode): string {
  const tabs = (operation['x-codeSamples'] ?? []).map(
    ({ lang, label, source }) =>
      `<div class="tab" data-tab="${label}"><p class="tab-title">${label}</p>${renderCode(source, languages[lang] ?? 'text', label)}</div>`,
  );
  return `<div class="tabs">${tabs.join('\n')}</div>`;
}

/** Returns the examples of the body after the first one, which the samples send. */
function otherRequests({ requestBody }: ApiOperation): { title: string; json: string }[] {
  const examples = requestBody?.content['application/json']?.examples ?? {};
  return Object.entries(examples)
    .slice(1)
    .map(([name, { summary = name, value }]) => ({
      title: `Body: ${summary}`,
      json: JSON.stringify(value, null, 2),
    }));
}

function exampleResponse({ responses }: ApiOperation, renderCode: RenderCode): string {
  const [type, media] = Object.entries(responses['200']?.content ?? {})[0] ?? [];
  const value = media?.examples?.response?.value;
  if (type !== 'application/json') return renderCode(String(value ?? ''), 'text', 'Response 200');
  return renderCode(JSON.stringify(value, null, 2), 'json', 'Response 200');
}

/** Renders the form that sends a request. Without the script it stays hidden. */
function tryIt({ method, path, operation }: Operation, document: ApiDocument): string {
  const { operationId: id, requestBody: body } = operation;
  const media = body?.content['application/json'];
  // Files, and responses that are files, are left to curl.
  if ((body && !media) || !operation.responses['200']?.content?.['application/json']) return '';
  const inputs = parametersOf(document, operation)
    .filter((it) => it.in !== 'header')
    .map((it) => {
      const example = it.in === 'path' || it.required ? String(it.example ?? '') : '';
      return `<label>${escapeHtml(it.name)}${it.required ? '' : ' <span class="quiet">optional</span>'}<input name="${escapeHtml(it.name)}" data-in="${it.in}" value="${escapeHtml(example)}" autocomplete="off" spellcheck="false"${it.required ? ' required' : ''}></label>`;
    });
  const example = JSON.stringify(media?.examples?.request?.value, null, 2) ?? '';
  const text = media
    ? `<label>Body<textarea name="body" rows="${Math.min(12, example.split('\n').length + 1)}" spellcheck="false">${escapeHtml(example)}</textarea></label>`
    : '';
  return [
    `<details class="try" hidden><summary>Try it in the sandbox</summary>`,
    `<form data-method="${method}" data-path="${escapeHtml(path)}" aria-label="Try ${escapeHtml(id)}">`,
    ...inputs,
    text,
    `<button type="submit">Send ${method}</button>`,
    '</form>',
    '<div class="try-result" role="status"></div>',
    '</details>',
  ].join('\n');
}

function renderObject(name: string, schema: Schema, document: ApiDocument): string {
  const isInput = schema.additionalProperties === false;
  const choices = (schema.oneOf ?? []).map((it) => `<li>${typeOf(it, document)}</li>`);
  return [
    `<section class="object"><h3 id="schema-${name}">${anchor(`schema-${name}`, name)}</h3>`,
    paragraphs(schema.description ?? ''),
    choices.length > 0
      ? `<p>One of:</p><ul>${choices.join('')}</ul>`
      : fieldList(fieldsOf(schema, { showRequired: isInput }), document),
    '</section>',
  ].join('\n');
}

function anchor(id: string, text: string): string {
  return `<a class="anchor" href="#${id}">${escapeHtml(text)}</a>`;
}

function methodBadge(method: string): string {
  return `<span class="method method-${method.toLowerCase()}">${method}</span>`;
}

/** Lets a long path break after a slash. */
function breakable(path: string): string {
  return escapeHtml(path).replaceAll('/', '/<wbr>');
}

function tagId(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(' ', '-')}`;
}

/** Returns a path's former anchor, such as `portal_info` for `/tenant/portal_info/{external_id}`. */
function formerAnchor(path: string): string {
  const [first = '', second = ''] = path.split('/').filter(Boolean);
  return first === 'tenant' || first === 'partner' ? second : first;
}

function toMarkdown(
  document: ApiDocument,
  tags: ApiDocument['tags'],
  operationsOfTag: (tag: string) => readonly Operation[],
  described: readonly (readonly [string, Schema])[],
): string {
  const parts = tags.flatMap(({ name, description }) => [
    `## ${name}\n\n${description}`,
    ...operationsOfTag(name).map(({ method, path, operation }) => {
      const [curl] = operation['x-codeSamples'] ?? [];
      const request = curl ? `\n\n\`\`\`sh\n${curl.source}\n\`\`\`` : '';
      const others = otherRequests(operation).map(
        ({ title, json }) => `\n\n**${title}**\n\n\`\`\`json\n${json}\n\`\`\``,
      );
      const example = operation.responses['200']?.content?.['application/json']?.examples?.response;
      const answer = example
        ? `\n\n\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\``
        : '';
      const fields = [
        ['Parameters', parametersOf(document, operation).map((it) => ({ ...it, place: it.in }))],
        ['Body', bodyFields(operation, document)],
      ] as const;
      const lists = fields.flatMap(([title, list]) =>
        list.length === 0 ? [] : [`\n\n**${title}**\n\n${fieldLines(list, document)}`],
      );
      const returned = responseObject(operation, document);
      const result = returned === undefined ? '' : `\n\n**Response**: \`data\` is ${returned}.`;
      return `### ${operation.summary} <a id="${operation.operationId}"></a>\n\n\`${method} ${path}\` (\`${operation.operationId}\`)\n\n${operation.description ?? ''}${lists.join('')}${request}${others.join('')}${result}${answer}`;
    }),
  ]);
  const objects = described.map(([name, schema]) => {
    const choices = (schema.oneOf ?? []).map((it) => `- ${plainTypeOf(it, document)}`);
    const showRequired = schema.additionalProperties === false;
    const lines =
      choices.length > 0
        ? `One of:\n\n${choices.join('\n')}`
        : fieldLines(fieldsOf(schema, { showRequired }), document);
    return `### ${name}\n\n${schema.description ?? ''}\n\n${lines}`;
  });
  return [
    `# API reference\n\n${document.info.description}`,
    ...parts,
    '## Objects\n\nResponses may have more fields than these: ignore what you do not know.',
    ...objects,
  ].join('\n\n');
}

/** Returns the fields of a JSON body; empty if the call takes no body or a file. */
function bodyFields(operation: ApiOperation, document: ApiDocument) {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [];
  const body = document.components.schemas[nameOf(schema) ?? ''] ?? schema;
  return fieldsOf(body, { showRequired: true });
}

/** Returns the type of `data` in the response, such as `Settlement`; undefined for a file. */
function responseObject({ responses }: ApiOperation, document: ApiDocument): string | undefined {
  const media = responses['200']?.content?.['application/json'];
  const data = document.components.schemas[nameOf(media?.schema ?? {}) ?? '']?.properties?.data;
  return data && plainTypeOf(data, document);
}
