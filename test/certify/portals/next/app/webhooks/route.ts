export { receiveWebhook as POST } from '../../lib/portal';
