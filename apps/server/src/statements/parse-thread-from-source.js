// Tests run from the sources, and Node reads no TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./parse-thread.ts');
