import { readFileSync, writeFileSync } from 'node:fs';
import { analyze } from './analyze-expression.ts';
import { findExpressions, keyOf } from './find-expressions.ts';
import { sourceFiles } from './source-files.ts';

// Run by check.mjs: refuses regular expressions that take more than linear time for some text. An analysis
// takes from milliseconds to half a minute, so a file keeps the results, and only expressions that are
// not in it are analyzed. With --write (npm run expressions), their results are stored.
interface Results {
  /** Expressions that take linear time for any text. Counts such as `{1,300}` are treated as constants. */
  readonly linear: readonly string[];
  /** The reason why each of the other expressions is harmless, by expression. */
  readonly accepted: Readonly<Record<string, string>>;
}

const file = 'scripts/check/expressions.json';
const results: Results = JSON.parse(readFileSync(file, 'utf8'));
const expressions = findExpressions(sourceFiles(process.cwd(), /\.tsx?$/));
if (expressions.length === 0) throw new Error('No expression was found. The search is broken.');
const linear = new Set(results.linear);
let wrong = 0;
for (const expression of expressions) {
  const key = keyOf(expression);
  if (linear.has(key) || key in results.accepted) continue;
  const { isLinear, reason } = analyze(expression);
  if (isLinear) linear.add(key);
  else {
    wrong += 1;
    console.log(
      `${expression.at}: ${key} ${reason}. Rewrite it or bound its input, or say in ${file} under "accepted" why that is harmless.`,
    );
  }
}
if (process.argv.includes('--write')) {
  const used = new Set(expressions.map(keyOf));
  const written: Results = {
    linear: [...linear].filter((key) => used.has(key)).sort(),
    accepted: Object.fromEntries(Object.entries(results.accepted).filter(([key]) => used.has(key))),
  };
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
}
console.log(`${expressions.length} regular expressions, ${wrong} problems`);
process.exitCode = wrong > 0 ? 1 : 0;
