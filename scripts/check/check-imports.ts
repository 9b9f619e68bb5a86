import { findCycles } from './find-cycles.ts';
import { findViolations } from './find-violations.ts';
import { sourceFiles } from './source-files.ts';

// Run by check.mjs: prints each violation of the dependency rules and each import cycle. Exits with 1 if there is one.
const files = sourceFiles(process.cwd(), /\.(ts|tsx|mts|js|mjs)$/);
const cycles = findCycles(files).map((cycle) => `import cycle: ${cycle}`);
const violations = [...findViolations(files), ...cycles];
for (const violation of violations) console.log(violation);
console.log(`${files.length} files, ${violations.length} violations of the dependency rules`);
process.exitCode = violations.length > 0 ? 1 : 0;
