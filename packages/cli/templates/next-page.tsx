import { signWidget } from '@svc/node';
import { connection } from 'next/server';
import { Suspense } from 'react';
import { currentTenant, readSettings } from '../../lib/svc';
import { RentWidget } from './rent-widget';

export default function Page() {
  return (
    <main>
      <h1>Your rent</h1>
      <Suspense fallback={<div style={{ minHeight: 250 }} />}>
        <Rent />
      </Suspense>
    </main>
  );
}

async function Rent() {
  // The tenant differs with each request, so this part is never prerendered.
  await connection();
  const { apiKey, pms, baseUrl } = readSettings();
  const tenant = await currentTenant();
  const signature = await signWidget({ apiKey, pms, externalId: tenant.id });
  return (
    <RentWidget
      balance={tenant.balanceInCents}
      pms={pms}
      externalId={tenant.id}
      signature={signature}
      baseUrl={baseUrl}
    />
  );
}
