import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { bindingsOf } from './bindings.ts';
import { candidates, renamed } from './short-names.ts';

async function load(code: string) {
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
}

test('what is exported keeps its name, all else gets another, and it does what it did', async () => {
  const code = `
    const ownFactor = 2, ownZero = 0;
    const ownScale = (ownValue, ownBy = ownFactor) => ({ value: ownValue * ownBy, ownBy });
    class OwnSum {
      total = 0;
      add({ value: ownMore, ...ownOthers }) { this.total += ownMore; return ownOthers; }
    }
    const ownLength = (ownUnused, ...ownRest) => {
      const ownLocal = 5;
      return ownLocal + ownRest.length;
    };
    function run(ownList) {
      const ownSum = new OwnSum();
      for (const ownItem of ownList) { const ownFactor = ownItem; ownSum.add({ value: ownFactor }); }
      for (let ownTurn = 0; ownTurn < 2; ownTurn += 1) ownSum.add({ value: ownTurn });
      try { throw ownList; } catch (ownThrown) {
        const { length = ownLength(), [ownZero]: ownFirst } = ownThrown, [ownHead, [ownDeep]] = [1, [length]];
        ownSum.add({ value: ownFirst + ownHead + ownDeep });
      }
      return [ownSum.total, ownScale(ownSum.total), \`\${ownList}\`].map((ownEach) => {
        const ownList = ownEach;
        return ownList;
      });
    }
    export { run, ownScale as grow };`;
  const short = renamed(code);
  expect(short.match(/own\w+/gi)).toEqual(['ownBy']);
  const [before, after] = [await load(code), await load(short)];
  expect(after.run([1, 2, 3])).toEqual(before.run([1, 2, 3]));
  expect(after.run([1, 2, 3])).toEqual([12, { value: 24, ownBy: 2 }, '1,2,3']);
  expect(after.grow(3)).toEqual({ value: 6, ownBy: 2 });
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

test('no name is a word of the language', () => {
  for (const name of candidates) expect(() => parseAst(`let ${name};`)).not.toThrow();
});
