import { SvcClient } from '@svc/node';
import { readSettings } from '../../../../lib/settings';
import { currentTenant } from '../../../../lib/tenant';

/** Reports the tenant and the open charges to the service, and hands its token to the page. */
export async function POST(): Promise<Response> {
  const { apiKey, baseUrl } = readSettings();
  const tenant = await currentTenant();
  const svc = new SvcClient({ apiKey, baseUrl });
  const { token } = await svc.portalInfo(tenant.id, {
    first_name: tenant.firstName,
    last_name: tenant.lastName,
    email: tenant.email,
    charges: [
      // A bill can be split from seven days before it is due until nine days after.
      { id: 'C-1', type: 'rent', due_date: today(), amount_in_cents: tenant.balanceInCents },
    ],
  });
  return Response.json({ token });
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
