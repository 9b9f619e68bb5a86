type Json = Readonly<Record<string, unknown>>;

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: Json;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly security?: readonly Json[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Json;
}

interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
}

/** The direction of a comparison: a request may accept more than before, and a response may contain more. */
type Direction = 'request' | 'response';

/**
 * Compares two OpenAPI documents and returns one line for each change that can break a caller:
 * operations, parameters, fields or values that are gone or narrower in requests; fields, types or
 * values of responses and webhooks that a caller could not expect before; renamed operation ids.
 * An object in a response that becomes open is not a breaking change, because the compatibility rule asks callers
 * to ignore unknown fields.
 */
export function findBreakingChanges(before: Document, after: Document): string[] {
  const compare = new Comparison(before, after);
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const at = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now) compare.operations(at, operation, now);
      else compare.found.push(`${at}: the operation is gone`);
    }
  }
  for (const [type, { post }] of Object.entries(before.webhooks ?? {})) {
    const now = after.webhooks?.[type]?.post;
    if (now) compare.bodies(`webhook ${type}`, post.requestBody, now.requestBody, 'response');
    else compare.found.push(`webhook ${type}: the event is gone`);
  }
  return compare.found;
}

/** Returns the document without texts and examples, which are not compared. */
export function withoutProse(document: Document): Document {
  const prose = ['description', 'summary', 'examples', 'example', 'x-codeSamples', 'info', 'tags'];
  const strip = (node: unknown, inMap: boolean): unknown => {
    if (Array.isArray(node)) return node.map((item) => strip(item, false));
    if (typeof node !== 'object' || node === null) return node;
    const entries = Object.entries(node).filter(([key]) => inMap || !prose.includes(key));
    return Object.fromEntries(
      entries.map(([key, value]) => [key, strip(value, !inMap && mapKeys.includes(key))]),
    );
  };
  return strip(document, false) as Document;
}

/** Keys whose values are maps with our own names as keys, which may include a field named `description`. */
const mapKeys = ['properties', 'schemas', 'paths', 'webhooks'];

class Comparison {
  readonly found: string[] = [];
  readonly #before: Document;
  readonly #after: Document;
  readonly #seen = new Set<string>();

  constructor(before: Document, after: Document) {
    this.#before = before;
    this.#after = after;
  }

  operations(at: string, before: Operation, after: Operation): void {
    if (before.operationId !== after.operationId) {
      this.found.push(`${at}: operationId ${before.operationId} is now ${after.operationId}`);
    }
    this.#parameters(at, before, after);
    const schemes = (operation: Operation) =>
      (operation.security ?? [{ apiKey: [] }]).map((it) => Object.keys(it).join('+'));
    for (const scheme of schemes(before)) {
      if (!schemes(after).includes(scheme)) this.found.push(`${at}: ${scheme} is not accepted`);
    }
    if (after.requestBody?.required && !before.requestBody) {
      this.found.push(`${at}: a body is now required`);
    }
    this.bodies(`${at} request`, before.requestBody, after.requestBody, 'request');
    for (const [status, response] of Object.entries(before.responses)) {
      if (!status.startsWith('2')) continue;
      const now = after.responses[status];
      if (now) this.bodies(`${at} ${status}`, response, now, 'response');
      else this.found.push(`${at}: the response ${status} is gone`);
    }
  }

  #parameters(at: string, before: Operation, after: Operation): void {
    const known = (before.parameters ?? []).map((it) => resolve(it, this.#before));
    const now = (after.parameters ?? []).map((it) => resolve(it, this.#after));
    const same = (one: Parameter) => (it: Parameter) => it.name === one.name && it.in === one.in;
    for (const parameter of known) {
      const match = now.find(same(parameter));
      const name = `${at} ${parameter.in} ${parameter.name}`;
      if (!match) this.found.push(`${name}: is no longer accepted`);
      else {
        if (match.required && !parameter.required) this.found.push(`${name}: is now required`);
        this.#schemas(name, parameter.schema, match.schema, 'request');
      }
    }
    for (const parameter of now) {
      if (parameter.required && !known.some(same(parameter))) {
        this.found.push(`${at} ${parameter.in} ${parameter.name}: is new and required`);
      }
    }
  }

  bodies(at: string, before: Body | undefined, after: Body | undefined, way: Direction): void {
    for (const [type, { schema }] of Object.entries(before?.content ?? {})) {
      const now = after?.content?.[type];
      if (!now) this.found.push(`${at}: ${type} is gone`);
      else if (schema && now.schema) this.#schemas(at, schema, now.schema, way);
    }
  }

  #schemas(at: string, one: Json, other: Json, way: Direction): void {
    const pair = `${way} ${String(one.$ref)} ${String(other.$ref)}`;
    if (one.$ref !== undefined && other.$ref !== undefined) {
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
    }
    const before = variantsOf(one, this.#before);
    const after = variantsOf(other, this.#after);
    // What is sent must fit what is expected: requests are sent by callers, responses by us.
    const [sent, expected] = way === 'request' ? [before, after] : [after, before];
    for (const schema of sent) {
      const candidates = expected.filter((it) => typeOf(it) === typeOf(schema) || !typeOf(it));
      if (candidates.length === 0) {
        // A number was expected where an integer is sent now.
        if (typeOf(schema) === 'integer' && expected.some((it) => typeOf(it) === 'number'))
          continue;
        this.found.push(
          way === 'request'
            ? `${at}: no longer accepts ${typeOf(schema) ?? 'any value'}`
            : `${at}: can now be ${typeOf(schema) ?? 'any value'}`,
        );
        continue;
      }
      const results = candidates.map((candidate) => {
        const [from, to] = way === 'request' ? [schema, candidate] : [candidate, schema];
        const inner = new Comparison(this.#before, this.#after);
        for (const known of this.#seen) inner.#seen.add(known);
        inner.#variants(at, from, to, way);
        return inner.found;
      });
      const best = results.reduce((least, it) => (it.length < least.length ? it : least));
      this.found.push(...best);
    }
  }

  #variants(at: string, before: Json, after: Json, way: Direction): void {
    this.#values(at, before, after, way);
    this.#bounds(at, before, after, way);
    for (const keyword of ['pattern', 'format']) {
      const [was, is] = [before[keyword], after[keyword]];
      const tighter = way === 'request' ? is !== undefined : was !== undefined;
      if (was !== is && tighter) this.found.push(`${at}: ${keyword} changed`);
    }
    this.#fields(at, before, after, way);
    if (isSchema(before.items) && isSchema(after.items)) {
      this.#schemas(`${at}[]`, before.items, after.items, way);
    }
    if (isSchema(before.additionalProperties) && isSchema(after.additionalProperties)) {
      this.#schemas(`${at}.*`, before.additionalProperties, after.additionalProperties, way);
    }
  }

  #values(at: string, before: Json, after: Json, way: Direction): void {
    const [was, is] = [valuesOf(before), valuesOf(after)];
    const [sent, expected] = way === 'request' ? [was, is] : [is, was];
    if (!expected) return;
    if (!sent) {
      const text = way === 'request' ? 'now accepts a list of values only' : 'is an open list now';
      this.found.push(`${at}: ${text}`);
      return;
    }
    for (const value of sent.filter((it) => !expected.includes(it))) {
      const text = way === 'request' ? 'no longer accepts' : 'can now be';
      this.found.push(`${at}: ${text} ${JSON.stringify(value)}`);
    }
  }

  #bounds(at: string, before: Json, after: Json, way: Direction): void {
    const lower = ['minimum', 'minLength', 'minItems'];
    const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
    for (const keyword of [...lower, ...upper]) {
      const sign = lower.includes(keyword) ? 1 : -1;
      const limit = (schema: Json) =>
        typeof schema[keyword] === 'number' ? sign * schema[keyword] : -Infinity;
      const [was, is] = [limit(before), limit(after)];
      if (way === 'request' ? is > was : is < was) this.found.push(`${at}: ${keyword} changed`);
    }
  }

  #fields(at: string, before: Json, after: Json, way: Direction): void {
    const [was, is] = [fieldsOf(before), fieldsOf(after)];
    for (const [name, schema] of Object.entries(was)) {
      const now = is[name];
      if (!now) {
        if (way === 'response' || after.additionalProperties === false) {
          this.found.push(`${at}.${name}: the field is gone`);
        }
        continue;
      }
      const [wasRequired, isRequired] = [requires(before, name), requires(after, name)];
      if (way === 'request' && isRequired && !wasRequired) {
        this.found.push(`${at}.${name}: is now required`);
      }
      if (way === 'response' && wasRequired && !isRequired) {
        this.found.push(`${at}.${name}: may be missing now`);
      }
      this.#schemas(`${at}.${name}`, schema, now, way);
    }
    if (way === 'response') return;
    for (const name of Object.keys(is)) {
      if (!was[name] && requires(after, name)) {
        this.found.push(`${at}.${name}: is new and required`);
      }
    }
  }
}

/** Returns the alternatives of a schema, each with one type. A value has to match one of them. */
function variantsOf(schema: Json, document: Document): Json[] {
  const whole = resolve(schema, document);
  const choices = (whole.anyOf ?? whole.oneOf) as Json[] | undefined;
  if (choices) return choices.flatMap((choice) => variantsOf(choice, document));
  const types = whole.type;
  if (!Array.isArray(types)) return [whole];
  return types.map((type) => ({ ...whole, type }));
}

function typeOf(schema: Json): string | undefined {
  if (typeof schema.type === 'string') return schema.type;
  return typeof valuesOf(schema)?.[0] === 'string' ? 'string' : undefined;
}

function valuesOf(schema: Json): unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  return schema.enum as unknown[] | undefined;
}

function fieldsOf(schema: Json): Readonly<Record<string, Json>> {
  return (schema.properties ?? {}) as Record<string, Json>;
}

function requires(schema: Json, name: string): boolean {
  return ((schema.required ?? []) as string[]).includes(name);
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** Follows `$ref` until the node has none. */
function resolve<T>(node: T, document: Document): T {
  const pointer = (node as { $ref?: string }).$ref;
  if (pointer === undefined) return node;
  const target = pointer
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((at, part) => (at as Json)[part], document);
  return resolve({ ...(target as T), ...without$ref(node) }, document);
}

function without$ref<T>(node: T): Partial<T> {
  const { $ref: _, ...rest } = node as T & { $ref?: string };
  return rest as Partial<T>;
}
