import type { Tool } from '../tool.ts';
import { certifyTools } from './certify.ts';
import { docsTools } from './docs.ts';
import { requestTools } from './requests.ts';
import { sandboxTools } from './sandbox.ts';
import { webhookTools } from './webhooks.ts';

/** All tools, in the order in which agents and docs list them. */
export const tools: readonly Tool[] = [
  ...docsTools,
  ...sandboxTools,
  ...webhookTools,
  ...requestTools,
  ...certifyTools,
];
