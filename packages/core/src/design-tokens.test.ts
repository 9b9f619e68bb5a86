import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const styles = ['./shared.css', './widget/widget.css', './experience/dialog.css']
  .map(read)
  .join('');
const tokens = read('../../ui/src/tokens.css');

/** A token's value for both schemes, without the variables that a rebrand may set. */
function token(name: string): string | undefined {
  return new RegExp(`--svc-${name}: ([^;]+);`)
    .exec(tokens)?.[1]
    ?.replace(/var\(--svc-brand-[\w-]+, ([^)]+)\)/g, '$1');
}

test("the widget's default colors are the design tokens", () => {
  const unadjusted = styles.replace(/var\(--on-adjusted, (.+)\)\)/, '$1)');
  const defaults = [...unadjusted.matchAll(/var\(--svc-([\w-]+), ([^()]+(?:\(.+\))?)\)/g)];
  const colors = defaults.filter(([, name]) => name !== 'font');
  expect(colors.length).toBeGreaterThan(5);
  for (const [, name, value] of colors) expect([name, value]).toEqual([name, token(name ?? '')]);
});

test("the sandbox badge and the dialog's background are the design tokens", () => {
  for (const name of ['sandbox', 'ground']) {
    expect(styles).toContain(`: ${token(name)};`);
  }
});
