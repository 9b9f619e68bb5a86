type SqlScalar = string | number | bigint | boolean | Date | null | undefined;

/** A value of a parameter. For a JSON column pass text: `JSON.stringify(value)`. */
export type SqlValue = SqlScalar | Uint8Array | readonly SqlScalar[];

/**
 * A parameterized statement, or a part of one. Only `sql` and `raw` create it, because the package
 * does not export the class. Parsed JSON of the same shape is not an `Sql`, so it cannot inject one.
 */
export class Sql {
  readonly text: string;
  /** Private, so that neither the compiler nor `isSql` accepts an object of the same shape. */
  readonly #values: readonly SqlValue[];

  constructor(text: string, values: readonly SqlValue[]) {
    this.text = text;
    this.#values = values;
  }

  get values(): readonly SqlValue[] {
    return this.#values;
  }

  static isSql(part: unknown): part is Sql {
    return typeof part === 'object' && part !== null && #values in part;
  }
}

/**
 * Builds a statement: values become `$n`, a nested statement is inlined with its own values.
 * @throws TypeError for a value that is not a scalar, bytes or a list of scalars
 */
export function sql(strings: TemplateStringsArray, ...parts: (Sql | SqlValue)[]): Sql {
  if (!parts.some(Sql.isSql)) return new Sql(plainText(strings), parts.map(checkValue));
  const values = parts.flatMap((part) => (Sql.isSql(part) ? part.values : [checkValue(part)]));
  return new Sql(composedText(strings, parts), values);
}

/** A statement or fragment without values. For constants of our own code, never for input. */
export function raw(text: string): Sql {
  return new Sql(text, []);
}

const plainTexts = new WeakMap<TemplateStringsArray, string>();

/** Returns the same string for the same template, so that lookups by text hash it only once. */
function plainText(strings: TemplateStringsArray): string {
  const known = plainTexts.get(strings);
  if (known !== undefined) return known;
  const text = strings.reduce((head, tail, index) => `${head}$${index}${tail}`);
  plainTexts.set(strings, text);
  return text;
}

/** The texts of the nested statements, by position; null for a value. */
type Texts = readonly (string | null)[];

const composedTexts = new WeakMap<TemplateStringsArray, { texts: Texts; text: string }>();

/**
 * Returns the same string as the last time if the nested statements are the same, as they nearly
 * always are. Building and hashing the text each time took 5 % of the CPU time of a request.
 */
function composedText(strings: TemplateStringsArray, parts: readonly unknown[]): string {
  const texts = parts.map((part) => (Sql.isSql(part) ? part.text : null));
  const last = composedTexts.get(strings);
  if (last && texts.every((text, index) => text === last.texts[index])) return last.text;
  let placed = 0;
  const text = strings.reduce((head, tail, index) => {
    const part = parts[index - 1];
    const offset = placed;
    placed += Sql.isSql(part) ? part.values.length : 1;
    const nested = Sql.isSql(part) ? part.text : '$1';
    return head + nested.replace(/\$(\d+)/g, (_, digits) => `$${Number(digits) + offset}`) + tail;
  });
  composedTexts.set(strings, { texts, text });
  return text;
}

/** Checks at run time what the types promise, because a value may have come through `any`. */
function checkValue(value: unknown): SqlValue {
  if (isScalar(value) || value instanceof Uint8Array) return value;
  if (Array.isArray(value) && value.every(isScalar)) return value;
  throw new TypeError(
    `sql: a value is ${describe(value)}. Pass a string, number, boolean, Date, bytes, null or a list of those; for a json column pass JSON.stringify(...).`,
  );
}

function isScalar(value: unknown): value is SqlScalar {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'undefined':
      return true;
    default:
      return value === null || value instanceof Date;
  }
}

/** Names only the kind of the value, because the value may be personal data. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list that holds an object';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
