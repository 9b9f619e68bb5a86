import { escapeHtml } from '../../domain/escape-html.ts';
import { jsonBlock } from '../pages/html-page.ts';
import { docsPage } from './docs-page.ts';

interface Operation {
  summary: string;
  description?: string;
  operationId: string;
  tags: string[];
  deprecated?: boolean;
  parameters: Parameter[];
  requestBody?: Body;
  responses: { 200: Body };
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
}
interface Body {
  content: Record<string, { schema: unknown }>;
}

/** Renders the OpenAPI document as a page, grouped by tag. The first word of a path is an anchor too. */
export function apiPage(document: Record<string, unknown>): string {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const anchors = new Set<string>();
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  return docsPage('/docs/api', 'The partner API', [
    '<h1>The partner API</h1>',
    `<p>${escapeHtml((document.info as { description: string }).description)}</p>`,
    '<p>For tools: <a href="/v1/openapi.json">OpenAPI 3.1</a>. Errors: <a href="/docs/errors">all codes</a>.</p>',
    ...tags.flatMap((tag) => [
      `<h2>${escapeHtml(tag)}</h2>`,
      ...operations
        .filter(({ operation }) => operation.tags.includes(tag))
        .map(({ path, method, operation }) => section(path, method, operation, anchors)),
    ]),
  ]);
}

function section(path: string, method: string, operation: Operation, anchors: Set<string>): string {
  const name = anchorOf(path);
  const anchor = anchors.has(name) ? '' : `<span id="${name}"></span>`;
  anchors.add(name);
  const { parameters, requestBody, responses } = operation;
  return [
    anchor,
    `<section id="${operation.operationId}">`,
    `<h3><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3>`,
    `<p>${operation.deprecated ? '<span class="svc-badge">Deprecated</span> ' : ''}${escapeHtml(operation.summary)}</p>`,
    parameters.length === 0 ? '' : `<p>Takes ${parameters.map(parameter).join(', ')}.</p>`,
    requestBody ? details('Body', requestBody) : '',
    details('Answer', responses[200]),
    '</section>',
  ].join('\n');
}

function parameter({ $ref, name, in: place, required }: Parameter): string {
  if ($ref !== undefined)
    return `<code>${escapeHtml($ref.split('/').at(-1) ?? '')}</code> (header, optional)`;
  return `<code>${escapeHtml(name)}</code> (${place}${required ? '' : ', optional'})`;
}

function details(title: string, body: Body): string {
  return Object.entries(body.content)
    .map(([type, { schema }]) =>
      type === 'application/json'
        ? `<details><summary>${title}</summary>${jsonBlock(schema)}</details>`
        : `<p>${title}: <code>${escapeHtml(type)}</code></p>`,
    )
    .join('\n');
}

/** The anchor of a path: `portal_info` for `/tenant/portal_info/{external_id}`. */
function anchorOf(path: string): string {
  const [first = '', second = ''] = path.split('/').filter(Boolean);
  return first === 'tenant' || first === 'partner' ? second : first;
}
