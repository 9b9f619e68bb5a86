import { webhookHandler } from '@svc/node';
import { readSettings } from '../../../../lib/settings';

const webhooks = webhookHandler(
  { 'settlement.created': ({ data }) => console.log('Debit', data.settlement_id) },
  {
    secret: () => readSettings().webhookSecret,
    // Add a store, because a message can arrive twice: see docs/node.md.
    fallback: ({ type, external_id }) => console.log(type, external_id),
  },
);

export const POST = webhooks.fetch;
