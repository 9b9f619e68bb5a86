import type { Service } from '../../../server/src/context.ts';
import { openApiDocument } from '../../../server/src/http/docs/openapi.ts';
import { routes } from '../../../server/src/http/routes.ts';
import { codeBlock, type RenderedPage } from '../generate/render-page.ts';
import { sampleOrigin } from '../sample-origin.ts';
import type { ApiDocument } from './document.ts';
import { renderReference } from './render-reference.ts';

/** Renders the OpenAPI document of the sandbox as `/docs/api`. */
export async function referencePages(): Promise<RenderedPage[]> {
  const service = { environment: 'sandbox', publicOrigin: sampleOrigin } as Service;
  const document = openApiDocument(routes, service) as unknown as ApiDocument;
  const page = {
    path: '/docs/api',
    title: 'API reference',
    short: 'API reference',
    description: 'Every operation of the partner API, with requests to copy and to try.',
    section: 'Reference',
    wide: true,
  };
  return [{ ...page, ...renderReference(document, codeBlock) }];
}
