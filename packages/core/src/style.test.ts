import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const style = read('./widget/style.css');
const tokens = read('../../ui/src/tokens.css');

/** A token's value for both schemes, with what a rebrand may set left out. */
function token(name: string): string | undefined {
  return new RegExp(`--svc-${name}: ([^;]+);`)
    .exec(tokens)?.[1]
    ?.replace(/var\(--svc-brand-[\w-]+, ([^)]+)\)/g, '$1');
}

test("the widget's fallbacks are the design tokens", () => {
  const fallbacks = [...style.matchAll(/var\(--svc-([\w-]+), ([^()]+(?:\(.+\))?)\)/g)];
  const colors = fallbacks.filter(([, name]) => name !== 'font');
  expect(colors.length).toBeGreaterThan(5);
  for (const [, name, value] of colors) expect([name, value]).toEqual([name, token(name ?? '')]);
});

test("the sandbox mark and the dialog's ground are the design tokens", () => {
  for (const name of ['sandbox', 'ground']) {
    expect(style).toContain(`: ${token(name)};`);
  }
});
