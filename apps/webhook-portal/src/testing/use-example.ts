import { useState } from 'react';
import type { CatalogEntry } from '../api/event-types.ts';
import { checkJson } from '../components/json/check-json.ts';
import type { Schema } from '../components/json/check-schema.ts';

/** The type's example as editable JSON. What was typed for one type is kept while trying others. */
export function useExample(types: readonly CatalogEntry[], name: string | undefined) {
  const type = types.find((each) => each.name === name) ?? types[0];
  const [typed, setTyped] = useState<Record<string, string>>({});
  const example = JSON.stringify(type?.example ?? {}, null, 2);
  const own = type ? typed[type.name] : undefined;
  const text = own ?? example;
  return {
    type,
    text,
    changed: own !== undefined && own !== example,
    check: checkJson(text, type?.schema as Schema | undefined),
    setText: (value: string) => type && setTyped({ ...typed, [type.name]: value }),
    load: (name: string, value: string) => setTyped({ ...typed, [name]: value }),
    reset: () => type && setTyped({ ...typed, [type.name]: example }),
  };
}
