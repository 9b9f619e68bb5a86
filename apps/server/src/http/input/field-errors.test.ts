import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Refusal } from '../../domain/refusal.ts';
import { fieldErrors, validationFailed } from './field-errors.ts';

function refusalOf(schema: z.ZodType, value: unknown): Refusal {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) throw new Error('The value was accepted.');
  return validationFailed(fieldErrors(parsed.error.issues, schema));
}

function firstError(schema: z.ZodType, value: unknown) {
  return refusalOf(z.strictObject({ field: schema }), { field: value }).errors?.[0];
}

test.each([
  [z.string(), undefined, 'required', 'is required'],
  [z.string(), 1, 'invalid_type', 'must be text in quotes'],
  [z.int(), 1.5, 'invalid_type', 'must be a whole number'],
  [z.int(), null, 'invalid_type', 'must be a number'],
  [z.array(z.string()), {}, 'invalid_type', 'must be a list'],
  [z.enum(['a', 'b', 'c']), 'd', 'invalid_value', 'must be "a", "b" or "c"'],
  [
    z.enum(['active', 'canceled']),
    'actve',
    'invalid_value',
    'must be "active" or "canceled". Did you mean "active"?',
  ],
  [
    z.enum(['active', 'canceled']),
    ' Active',
    'invalid_value',
    'must be "active" or "canceled". Did you mean "active"?',
  ],
  [z.enum(['R01', 'R02', 'C01']), 'X99', 'invalid_value', 'must be "R01", "R02" or "C01"'],
  [z.literal(true), false, 'invalid_value', 'must be true'],
  [z.int().max(5), 6, 'too_big', 'must be at most 5'],
  [z.string().min(2), 'a', 'too_small', 'must have at least 2 characters'],
  [z.string().min(1), '', 'too_small', 'must have at least 1 character'],
  [z.array(z.int()).max(1), [1, 2], 'too_big', 'must have at most 1 item'],
  [z.iso.date(), '2026-02-30', 'invalid_date', 'must be a real date as YYYY-MM-DD'],
  [z.iso.datetime(), 'noon', 'invalid_format', 'must be an instant such as 2026-02-01T18:00:00Z'],
  [z.never(), 1, 'unknown_field', 'is not a field of this call: remove it'],
  [
    z.string().regex(/^a/, { error: 'must start with a' }),
    'b',
    'invalid_format',
    'must start with a',
  ],
])('%# describes the valid values of a field', (schema, value, code, message) => {
  expect(firstError(schema, value)).toEqual({ param: 'field', code, message });
});

test('an invalid key of a record is reported with its own problem', () => {
  const schema = z.record(
    z.string().regex(/^[a-z]+$/, { error: 'must be lower case' }),
    z.string(),
  );
  expect(refusalOf(schema, { A: 'x' }).errors).toEqual([
    { param: 'A', code: 'invalid_format', message: 'must be lower case' },
  ]);
});

test.each([
  [{ firstName: 'Ada' }, 'firstName is not a field of this call. Did you mean first_name?'],
  [{ name: 'Ada' }, 'name is not a field of this call. Did you mean first_name?'],
  [{ color: 'red' }, 'color is not a field of this call: remove it.'],
  [
    { charges: [{ amountInCents: 1 }] },
    'charges[0].amountInCents is not a field of this call. Did you mean amount_in_cents?',
  ],
])('of %j it names a field that is close to the unknown one', (value, message) => {
  const charge = z.strictObject({ amount_in_cents: z.int().optional() });
  const schema = z
    .strictObject({ first_name: z.string().optional(), charges: z.array(charge).default([]) })
    .refine(() => true);
  expect(refusalOf(schema, value).message).toBe(message);
});

test('of thousands of wrong values only the first ten are compared with the allowed ones', () => {
  const values = Array.from({ length: 50 }, () => 'actve');
  const { errors = [] } = refusalOf(z.array(z.enum(['active'])), values);
  expect(errors.filter(({ message }) => message.includes('Did you mean'))).toHaveLength(10);
});

test('of thousands of unknown fields only the first are compared with the known ones', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => [`nam${index}`, 1] as const);
  const { errors = [], message } = refusalOf(z.strictObject({ name: z.int() }), {
    name: 1,
    ...Object.fromEntries(names),
  });
  expect(message).toContain('and 4997 more');
  expect(errors).toHaveLength(20);
  expect(errors.filter(({ message }) => message.includes('Did you mean'))).toHaveLength(10);
});

test.each([1520.12, '1520.12', '152012', null])(
  'an amount of %j is told to be in cents',
  (value) => {
    const refusal = refusalOf(z.object({ amount_in_cents: z.int() }), { amount_in_cents: value });
    expect(refusal.message).toBe(
      'amount_in_cents must be a whole number of cents, such as 152012 for $1,520.12.',
    );
  },
);

test('the message names three fields and counts the rest', () => {
  const schema = z.strictObject({ a: z.int(), b: z.int(), c: z.int(), d: z.int() });
  const refusal = refusalOf(schema, {});
  expect(refusal.message).toBe('a is required; b is required; c is required; and 1 more.');
  expect(refusal.param).toBe('a');
  expect(refusal.errors).toHaveLength(4);
});

test('a message that quotes the value is a sentence after the name of its field', () => {
  const quoting = z
    .string()
    .refine(() => false, { error: ({ input }) => `"${input}" is wrong. Sure?` });
  const refusal = refusalOf(z.object({ a: quoting, b: z.int() }), { a: 'x' });
  expect(refusal.message).toBe('a: "x" is wrong. Sure? b is required.');
  expect(refusalOf(z.object({ a: quoting }), { a: 'x' }).message).toBe('a: "x" is wrong. Sure?');
});
