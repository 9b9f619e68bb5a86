import { signWidget } from '@svc/node';
import { connection } from 'next/server';
import { readSettings } from '../lib/settings';
import { currentTenant } from '../lib/tenant';
import { RentWidget } from './rent-widget';

export default async function Page() {
  // The policy's nonce is new for each request, so the page cannot be prerendered.
  await connection();
  const { apiKey, pms, baseUrl } = readSettings();
  const tenant = await currentTenant();
  const signature = await signWidget({ apiKey, pms, externalId: tenant.id });
  return (
    <main>
      <h1>Your rent</h1>
      <RentWidget
        balance={tenant.balanceInCents}
        pms={pms}
        externalId={tenant.id}
        signature={signature}
        baseUrl={baseUrl}
      />
      <p id="below">Questions? Write to the office.</p>
    </main>
  );
}
