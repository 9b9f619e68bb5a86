export type { TenantSummary } from './answers.ts';
export { residents as demoResidents } from './residents.ts';
export type { DemoFiles } from './routes/pages.ts';
export { type Demo, type DemoOptions, startDemo } from './start-demo.ts';
