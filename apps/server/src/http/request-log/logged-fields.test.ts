import { field, logged, loggedField } from '@svc/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { routes } from '../routes.ts';
import { queryIn } from '../svix/input.ts';
import { operations } from '../svix/operations.ts';
import { loggedFieldsOf, loggedInputOf } from './logged-fields.ts';

const id = loggedField(z.string(), 'An id.', 'C-1');

test('a field is kept only where it is declared so', () => {
  const schema = z.strictObject({
    id,
    name: field(z.string(), 'A name.', 'Ada'),
    added_later: z.string(),
    states: loggedField(z.array(z.enum(['open', 'paid'])).nullish(), 'States.', ['open']),
    amount_in_cents: logged(z.int()).default(0),
    charges: field(z.array(z.object({ id, description: z.string() })).max(9), 'Charges.'),
  });
  expect(loggedFieldsOf(schema)).toEqual({
    paths: new Set(['id', 'states[]', 'amount_in_cents', 'charges[].id']),
    numbers: new Set(['amount_in_cents']),
    containers: new Set(['states', 'charges', 'charges[]']),
  });
  expect(loggedFieldsOf(undefined).paths).toEqual(new Set());
});

test('a field that wraps a kept schema decides for itself', () => {
  const schema = z.strictObject({ id: field(id.optional(), 'A name.', 'Ada Lane') });
  expect(loggedFieldsOf(schema).paths).toEqual(new Set());
});

test('all fields of a kept choice between objects are read, and of a changed object', () => {
  const auth = z.discriminatedUnion('type', [
    z.object({ type: logged(z.literal('none')) }),
    z.object({ type: logged(z.literal('basic')), password: z.string() }),
  ]);
  const schema = z.object({ auth, id }).partial().extend({ uid: id });
  expect(loggedFieldsOf(schema).paths).toEqual(new Set(['auth.type', 'id', 'uid']));
});

const inputs = [
  ...routes.map(({ method, path, query, body }) => ({ name: `${method} ${path}`, query, body })),
  ...operations.map(({ method, path, body }) => ({
    name: `Svix: ${method} ${path}`,
    query: queryIn,
    body,
  })),
];

const privateName =
  /name|mail|phone|line\d|city|postal|birth|ssn|person|account|routing|card|cvc|iban|secret|password|token|key$|signature|value|url|header|metadata|^data$|payload|description|note|reason$|message|search|^q$|cursor/;

test('no field for a name, an address, an account, a secret or free text is kept in any route', () => {
  const shown = inputs.flatMap(({ name, ...input }) => {
    const { query, body } = loggedInputOf(input);
    const fields = [...query.paths, ...body.paths].flatMap((path) => path.split('.'));
    // The field is only a choice: true or false.
    const kept = fields.filter((it) => it !== 'asymmetric_signature');
    return kept.filter((it) => privateName.test(it)).map((it) => `${name}: ${it}`);
  });
  expect(shown).toEqual([]);
});

/** The paths of a schema's fields whose values are choices from a fixed list. */
function choicesOf(schema: z.ZodType | undefined, path = ''): string[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return choicesOf(schema.unwrap() as z.ZodType, path);
  }
  if (schema instanceof z.ZodPipe) return choicesOf(schema.in as z.ZodType, path);
  if (schema instanceof z.ZodArray) return choicesOf(schema.element as z.ZodType, `${path}[]`);
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => choicesOf(option as z.ZodType, path));
  }
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, part]) =>
      choicesOf(part as z.ZodType, path === '' ? name : `${path}.${name}`),
    );
  }
  const isChoice =
    schema instanceof z.ZodBoolean || schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral;
  return isChoice ? [path] : [];
}

test('every choice in a query or a body of a call with an API key is kept', () => {
  const calls = routes.filter(({ who }) => who.startsWith('key'));
  const choices = [...calls, ...operations].flatMap((call) => {
    const query = 'query' in call ? call.query : queryIn;
    const logged = loggedInputOf({ query, body: call.body });
    return [
      ...choicesOf(query).map((path) => ({ path, kept: logged.query.paths.has(path) })),
      ...choicesOf(call.body).map((path) => ({ path, kept: logged.body.paths.has(path) })),
    ];
  });
  expect(choices.length).toBeGreaterThan(80);
  expect(choices.filter(({ kept }) => !kept)).toEqual([]);
});
