import type { Service } from '../../../server/src/context.ts';
import { openApiDocument } from '../../../server/src/http/docs/openapi.ts';
import { routes } from '../../../server/src/http/routes.ts';
import { escapeHtml } from '../generate/escape-html.ts';
import { sampleOrigin } from '../generate/layout.ts';
import { codeBlock, type Heading, type RenderedPage } from '../generate/render-page.ts';

interface Operation {
  summary: string;
  operationId: string;
  tags: string[];
  deprecated?: boolean;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: Body;
  responses: { 200: Body };
}
interface Body {
  content: Record<string, { schema: unknown }>;
}

/** Renders the OpenAPI document as `/docs/api`, grouped by tag. */
export async function referencePages(): Promise<RenderedPage[]> {
  const service = { environment: 'sandbox', publicOrigin: sampleOrigin } as Service;
  const document = openApiDocument(routes, service);
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const headings: Heading[] = [];
  const anchors = new Set<string>();
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const html = tags.flatMap((tag) => {
    const id = tag.toLowerCase().replaceAll(' ', '-');
    headings.push({ depth: 2, id: `tag-${id}`, text: tag });
    return [
      `<h2 id="tag-${id}">${escapeHtml(tag)}</h2>`,
      ...operations
        .filter(({ operation }) => operation.tags.includes(tag))
        .map(({ path, method, operation }) => section(path, method, operation, anchors)),
    ];
  });
  const description = (document.info as { description: string }).description;
  const page: RenderedPage = {
    path: '/docs/api',
    title: 'API reference',
    short: 'API reference',
    description: 'Every operation of the partner API, with its parameters, body and answer.',
    section: 'Reference',
    html: [`<p>${escapeHtml(description)}</p>`, ...html].join('\n'),
    headings,
    search: operations.map(({ path, method, operation }) => ({
      url: `/docs/api#${operation.operationId}`,
      page: 'API reference',
      heading: `${method.toUpperCase()} ${path}`,
      text: operation.summary,
    })),
    markdown: [
      `# API reference\n\n${description}`,
      ...operations.map(
        ({ path, method, operation }) =>
          `## ${method.toUpperCase()} ${path}\n\n${operation.summary}`,
      ),
    ].join('\n\n'),
    wide: false,
  };
  return [page];
}

function section(path: string, method: string, operation: Operation, anchors: Set<string>): string {
  const name = anchorOf(path);
  const anchor = anchors.has(name) ? '' : `<span id="${name}"></span>`;
  anchors.add(name);
  const { parameters, requestBody, responses } = operation;
  const takes = parameters.map(
    ({ name: parameter, in: place, required }) =>
      `<code>${escapeHtml(parameter)}</code> (${place}${required ? '' : ', optional'})`,
  );
  return [
    anchor,
    `<h3 id="${operation.operationId}"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3>`,
    `<p>${operation.deprecated ? 'Deprecated. ' : ''}${escapeHtml(operation.summary)}</p>`,
    takes.length === 0 ? '' : `<p>Takes ${takes.join(', ')}.</p>`,
    requestBody ? details('Body', requestBody) : '',
    details('Answer', responses[200]),
  ].join('\n');
}

function details(title: string, body: Body): string {
  return Object.entries(body.content)
    .map(([type, { schema }]) =>
      type === 'application/json'
        ? `<details class="more"><summary>${title}</summary>${codeBlock(JSON.stringify(schema, null, 2), 'json', 'JSON Schema')}</details>`
        : `<p>${title}: <code>${escapeHtml(type)}</code></p>`,
    )
    .join('\n');
}

/** The anchor of a path: `portal_info` for `/tenant/portal_info/{external_id}`. */
function anchorOf(path: string): string {
  const [first = '', second = ''] = path.split('/').filter(Boolean);
  return first === 'tenant' || first === 'partner' ? second : first;
}
