import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { programOf, published, reportOf } from './roll-up-types.ts';

const program = programOf(published);

test.each(published)(
  'the API of @svc/%s matches its api.d.ts',
  (name) => {
    const path = fileURLToPath(new URL(`../../packages/${name}/api.d.ts`, import.meta.url));
    expect(
      reportOf(name, program),
      'If the change is intended, run `npm run api` and add a changeset.',
    ).toBe(readFileSync(path, 'utf8'));
  },
  60_000,
);
