import { Menu, MenuItem } from '@svc/ui/console/parts/menu.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { commandsQuery } from '../api/commands.ts';
import type { Tenant, TenantName } from '../api/tenants.ts';
import { isDangerous, titleOf } from '../commands/command-words.ts';
import { openCommand } from '../commands/open-command.ts';
import { ViewDialog } from './view-dialog.tsx';

/** Actions on the tenant as a whole that the role allows. */
export function TenantActions({ name, tenant }: { name: TenantName; tenant: Tenant }) {
  const commands = useQuery(commandsQuery).data ?? [];
  const { partner: pms, externalId } = name;
  const isPaused = tenant.pauses.some(({ scope }) => scope === 'tenant');
  const ofTenant = { pms, external_id: externalId };
  const offered = [
    {
      name: isPaused ? 'collections-resume' : 'collections-pause',
      input: { pms, tenant: externalId },
    },
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
  ].filter((action) => commands.some((command) => command.name === action.name));
  const [viewing, setViewing] = useState(false);
  if (offered.length === 0 && tenant.person === null) return null;
  return (
    <>
      <Menu
        className="svc-button svc-button--secondary svc-button--small"
        name="Actions"
        face="Actions"
        align="end"
      >
        {tenant.person === null ? null : (
          <MenuItem onChoose={() => setViewing(true)}>
            <span className="menu__words">See what the tenant sees</span>
          </MenuItem>
        )}
        {offered.map((action) => (
          <MenuItem
            key={action.name}
            danger={isDangerous(action)}
            onChoose={() => openCommand(action)}
          >
            <span className="menu__words">{titleOf(action)}</span>
          </MenuItem>
        ))}
      </Menu>
      {viewing ? <ViewDialog name={name} onClose={() => setViewing(false)} /> : null}
    </>
  );
}
