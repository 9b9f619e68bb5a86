import { MenuItem } from '@svc/ui/console/parts/menu.tsx';
import { useState } from 'react';
import type { Tenant, TenantName } from '../api/tenants.ts';
import { CommandMenu } from '../commands/command-menu.tsx';
import { ViewDialog } from './view-dialog.tsx';

/** Actions on the tenant as a whole that the role allows. */
export function TenantActions({ name, tenant }: { name: TenantName; tenant: Tenant }) {
  const { partner: pms, externalId } = name;
  const isPaused = tenant.pauses.some(({ scope }) => scope === 'tenant');
  const property = tenant.home?.property_id ?? null;
  const ofTenant = { pms, external_id: externalId };
  const commands = [
    {
      name: isPaused ? 'collections-resume' : 'collections-pause',
      input: { pms, tenant: externalId },
      without: ['property'],
    },
    ...(property !== null && !tenant.pauses.some(({ scope }) => scope === 'property')
      ? [
          {
            name: 'collections-pause',
            label: 'Pause collections of the property',
            input: { pms, property },
            without: ['tenant'],
          },
        ]
      : []),
    ...(tenant.plan?.may_cancel
      ? [{ name: 'plan-cancel', input: { plan_id: tenant.plan.id } }]
      : []),
    ...(tenant.plan && tenant.plan.fee_to_waive_in_cents > 0
      ? [{ name: 'plan-waive-fee', input: { plan_id: tenant.plan.id } }]
      : []),
    ...(tenant.consents.electronic_records === 'electronic'
      ? [{ name: 'tenant-paper', input: ofTenant }]
      : []),
    { name: 'tenant-export', input: ofTenant },
    ...(tenant.erased_at === null ? [{ name: 'tenant-erase', input: ofTenant }] : []),
  ];
  const [viewing, setViewing] = useState(false);
  return (
    <>
      <CommandMenu commands={commands}>
        {tenant.person === null ? null : (
          <MenuItem onChoose={() => setViewing(true)}>
            <span className="menu__words">See what the tenant sees</span>
          </MenuItem>
        )}
      </CommandMenu>
      {viewing ? <ViewDialog name={name} onClose={() => setViewing(false)} /> : null}
    </>
  );
}
