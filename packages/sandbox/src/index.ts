export {
  type Sandbox,
  SandboxError,
  type SandboxOptions,
  startSandbox,
} from './start-sandbox.ts';
export type { WebhookEventOf, WebhookFilter } from './webhook-reader.ts';
