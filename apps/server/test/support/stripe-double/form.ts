/** A value of Stripe's form encoding: `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. */
type FormValue = string | Form;
export interface Form {
  readonly [key: string]: FormValue | undefined;
}

/** Parses a query string or a form body. Lists become objects with the keys 0, 1, …. */
export function parseForm(text: string): Form {
  const form: Record<string, FormValue> = {};
  for (const [path, value] of new URLSearchParams(text)) {
    const keys = path.replaceAll(']', '').split('[');
    const last = keys.pop() ?? '';
    let at = form;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key] as Record<string, FormValue>;
    }
    // `types[]=a&types[]=b`: an empty key appends.
    at[last === '' ? String(Object.keys(at).length) : last] = value;
  }
  return form;
}

export function textOf(form: Form, key: string): string | undefined {
  const value = form[key];
  return typeof value === 'string' ? value : undefined;
}

export function formOf(form: Form, key: string): Form {
  const value = form[key];
  return typeof value === 'object' ? value : {};
}

export function listOf(form: Form, key: string): string[] {
  return Object.values(formOf(form, key)).filter((it) => typeof it === 'string');
}

/** The texts of an object, such as `metadata`. */
export function textsOf(form: Form, key: string): Record<string, string> {
  const entries = Object.entries(formOf(form, key));
  return Object.fromEntries(
    entries.filter((it): it is [string, string] => typeof it[1] === 'string'),
  );
}
