import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type EventType, eventCatalog, eventExamples, eventSchemaOf } from '@svc/contract';
import { expect, test } from 'vitest';
import type { Schema } from './check-schema.ts';
import { writeTypeScript } from './write-typescript.ts';

test('every event type generates an interface that compiles and accepts its example', () => {
  const parts = (Object.keys(eventCatalog) as EventType[]).map((type) => {
    const { description } = eventCatalog[type];
    const written = writeTypeScript(type, description, eventSchemaOf(type) as Schema);
    const name = /interface (\w+)/.exec(written)?.[1] ?? '';
    const example = JSON.stringify(eventExamples[type]);
    return `${written}export const a${name}: ${name} = ${example};\n`;
  });
  const folder = mkdtempSync(join(tmpdir(), 'svc-types-'));
  try {
    writeFileSync(join(folder, 'types.ts'), parts.join('\n'));
    const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--types', '', 'types.ts'];
    execFileSync(process.execPath, [join(compiler, 'bin/tsc'), ...options], {
      cwd: folder,
      encoding: 'utf8',
    });
  } catch (error) {
    expect.fail(String((error as { stdout?: string }).stdout ?? error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('enums, arrays, nulls, and unusual names are generated correctly', () => {
  const schema: Schema = {
    properties: {
      kind: { enum: ['a', 'b'] },
      many: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      'odd-name': { type: ['integer', 'null'] },
      any: { type: 'object' },
      due: { type: 'string', format: 'date' },
    },
    required: ['kind', 'due'],
  };
  expect(writeTypeScript('a.b_c', 'Of `x` */ y', schema)).toBe(`/** Of x * / y */
export interface ABCData {
  kind: "a" | "b";
  many?: (string | null)[];
  "odd-name"?: number | null;
  any?: Record<string, unknown>;
  /** YYYY-MM-DD */
  due: string;
}
`);
});
