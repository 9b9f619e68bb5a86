import type { Service } from '../../context.ts';
import { CompressedText } from '../pages/compressed.ts';
import { routes } from '../routes.ts';
import { asyncApiDocument } from './asyncapi.ts';
import type { Json } from './components.ts';
import { openApiDocument } from './openapi.ts';

interface Served {
  readonly document: Json;
  readonly text: CompressedText;
}

const documents = new WeakMap<Service, Served>();

/** The OpenAPI document of a service. Built on first use: that takes half a second. */
export function servedDocument(service: Service): Served {
  const known = documents.get(service);
  if (known) return known;
  const document = openApiDocument(routes, service);
  const served = { document, text: new CompressedText(JSON.stringify(document)) };
  documents.set(service, served);
  return served;
}

const asyncApiTexts = new WeakMap<Service, CompressedText>();

/** The AsyncAPI document of a service. Built on first use. */
export function servedAsyncApi(service: Service): CompressedText {
  const known = asyncApiTexts.get(service);
  if (known) return known;
  const text = new CompressedText(JSON.stringify(asyncApiDocument(service)));
  asyncApiTexts.set(service, text);
  return text;
}
