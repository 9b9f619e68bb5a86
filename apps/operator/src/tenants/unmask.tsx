import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type TenantName, tenantKey, unmaskTenant } from '../api/tenants.ts';
import { TextDialog } from '../parts/text-dialog.tsx';
import { usePermission } from '../session/use-session.ts';

/** Shows masked personal data in clear, for a reason that the audit log keeps. */
export function Unmask({ name }: { name: TenantName }) {
  const mayUnmask = usePermission('unmask');
  const [open, setOpen] = useState(false);
  if (!mayUnmask) return <span className="tag">Masked</span>;
  return (
    <>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => setOpen(true)}
      >
        <Icon name="eye" /> Show data
      </button>
      {open ? <UnmaskDialog name={name} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function UnmaskDialog({ name, onClose }: { name: TenantName; onClose: () => void }) {
  const client = useQueryClient();
  const showing = useMutation({
    mutationFn: (reason: string) => unmaskTenant(name, reason),
    onSuccess: () => {
      showToast('Personal data is shown for 15 minutes.');
      void client.invalidateQueries({ queryKey: tenantKey(name) });
      onClose();
    },
  });
  return (
    <TextDialog
      title="Show personal data"
      act="Show for 15 minutes"
      about="The audit log records that you saw this tenant’s data, and why."
      label="Why do you need it?"
      hint="Such as the ticket’s number and what the tenant asked."
      param="reason"
      least={4}
      most={500}
      acting={showing}
      onClose={onClose}
    />
  );
}
