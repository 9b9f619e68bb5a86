import type { z } from 'zod';

/**
 * Adds what the API reference and generated clients show about a field: a sentence and an example.
 * A field whose schema has a name needs no example, because the named schema has its own.
 */
export function field<T extends z.ZodType>(schema: T, description: string, example?: unknown): T {
  return schema.meta({ description, ...(example === undefined ? {} : { example }) });
}

/**
 * Describes a request field whose value the request log may keep: an id, an amount, a date or a choice. Values of
 * all other fields are replaced, so use it for nothing that a person wrote and for no secret.
 */
export function loggedField<T extends z.ZodType>(
  schema: T,
  description: string,
  example?: unknown,
): T {
  return logged(field(schema, description, example));
}

/** Lets the request log keep a field's value, like `loggedField`, without describing the field. */
export function logged<T extends z.ZodType>(schema: T): T {
  return schema.meta({ logged: true });
}

/** Gives a schema a name in the OpenAPI document, and a description. Generated clients name a type after it. */
export function named<T extends z.ZodType>(
  id: string,
  description: string,
  schema: T,
  example?: unknown,
): T {
  return schema.meta({
    id,
    description,
    ...(example === undefined ? {} : { example }),
  });
}

/**
 * Marks an enumeration in responses to which values may be added without a new version of the API.
 * The OpenAPI document lists its values as `x-extensible-enum`, so generated clients accept others.
 */
export function extensible<T extends z.ZodType>(schema: T): T {
  return schema.meta({ extensible: true });
}

/** Ids for examples. They are well formed and belong to nothing. */
export const exampleIds = {
  application: 'app_01k5z3w7c8d9e0f1g2h3j4k5m6',
  attempt: 'att_01k5z3w7c8d9e0f1g2h3j4k5m6',
  audit: 'aud_01k5z3w7c8d9e0f1g2h3j4k5m6',
  certification: 'crt_01k5z3w7c8d9e0f1g2h3j4k5m6',
  delivery: 'dlv_01k5z3w7c8d9e0f1g2h3j4k5m6',
  deposit: 'dep_01k5z3w7c8d9e0f1g2h3j4k5m6',
  endpoint: 'ep_01k5z3w7c8d9e0f1g2h3j4k5m6',
  installment: 'ins_01k5z3w7c8d9e0f1g2h3j4k5m6',
  key: 'key_01k5z3w7c8d9e0f1g2h3j4k5m6',
  message: 'evt_01k5z3w7c8d9e0f1g2h3j4k5m6',
  payout: 'pyt_01k5z3w7c8d9e0f1g2h3j4k5m6',
  plan: 'pln_01k5z3w7c8d9e0f1g2h3j4k5m6',
  refund: 'rfd_01k5z3w7c8d9e0f1g2h3j4k5m6',
  replay: 'rpl_01k5z3w7c8d9e0f1g2h3j4k5m6',
  result: 'res_01k5z3w7c8d9e0f1g2h3j4k5m6',
  request: 'req_01k5z3w7c8d9e0f1g2h3j4k5m6',
  settlement: 'stl_01k5z3w7c8d9e0f1g2h3j4k5m6',
} as const;
