import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { programOf, published, reportOf } from './roll-up-types.ts';

const program = programOf(published);

test.each(published)(
  'the API of @svc/%s is the one in its api.d.ts',
  (name) => {
    const path = fileURLToPath(new URL(`../../packages/${name}/api.d.ts`, import.meta.url));
    expect(
      reportOf(name, program),
      'Is the change meant? `npm run api` writes the report, and a changeset tells partners.',
    ).toBe(readFileSync(path, 'utf8'));
  },
  60_000,
);
