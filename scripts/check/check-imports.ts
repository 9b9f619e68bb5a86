import { findCircles } from './find-circles.ts';
import { findViolations } from './find-violations.ts';
import { sourceFiles } from './source-files.ts';

// Run by check.mjs: prints each break of the dependency rules, each circle, and exits 1 if there is one.
const files = sourceFiles(process.cwd(), /\.(ts|tsx|mts|js|mjs)$/);
const circles = findCircles(files).map((circle) => `a circle of imports: ${circle}`);
const violations = [...findViolations(files), ...circles];
for (const violation of violations) console.log(violation);
console.log(`${files.length} files, ${violations.length} against the dependency rules`);
process.exitCode = violations.length > 0 ? 1 : 0;
