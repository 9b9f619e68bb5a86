import { processEnvironment } from './environment.ts';
import { run } from './run.ts';

const environment = processEnvironment();
process.exitCode = await run(process.argv.slice(2), environment);
