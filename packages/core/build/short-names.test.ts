import { expect, test } from 'vitest';
import { bindingsOf } from './bindings.ts';
import { renamed } from './short-names.ts';

async function load(code: string) {
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
}

test('what is exported keeps its name, and all within does what it did', async () => {
  const code = `
    const factor = 2, scale = (value, by = factor) => ({ value: value * by, by });
    class Sum { total = 0; add({ value: more, ...others }) { this.total += more; return others; } }
    function run(list) {
      const sum = new Sum();
      for (const value of list) { const factor = value; sum.add({ value: factor }); }
      try { throw list; } catch (list) { const { length = 5, [0]: first } = list; sum.add({ value: length + first }); }
      return [sum.total, scale(sum.total), \`\${list}\`].map((each) => { const list = each; return list; });
    }
    export { run, scale as grow };`;
  const short = renamed(code);
  expect(short).not.toMatch(/\b(factor|sum|list|Sum)\b/);
  const [before, after] = [await load(code), await load(short)];
  expect(after.run([1, 2, 3])).toEqual(before.run([1, 2, 3]));
  expect(after.run([1, 2, 3])).toEqual([10, { value: 20, by: 2 }, '1,2,3']);
  expect(after.grow(3)).toEqual({ value: 6, by: 2 });
});

test('names from outside, and a script’s own, are everybody’s', () => {
  const { bindings, globals } = bindingsOf('var Svc = (value) => t(value, e);');
  expect([...globals].sort()).toEqual(['Svc', 'e', 't']);
  expect(bindings.map(({ key }) => key)).toEqual(['Svc.value']);
  expect(renamed('var Svc = (value) => t(value, e);')).toBe('var Svc = (n) => t(n, e);');
});

test('a name is free where nothing that is meant by it reaches', () => {
  expect(renamed('const a = (one) => one; const b = (two) => two + a(1); export { b };')).toBe(
    'const e = (e) => e; const t = (t) => t + e(1); export { t as b };',
  );
});
