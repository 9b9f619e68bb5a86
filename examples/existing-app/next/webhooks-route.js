import { webhooks } from '../../../../lib/svc';

export const POST = webhooks.fetch;
