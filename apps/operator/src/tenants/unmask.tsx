import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type TenantName, tenantKey, unmaskTenant } from '../api/tenants.ts';
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
  const form = useId();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const showing = useMutation({
    mutationFn: () => unmaskTenant(name, reason.trim()),
    onSuccess: () => {
      showToast('Personal data is shown for 15 minutes.');
      void client.invalidateQueries({ queryKey: tenantKey(name) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Show personal data"
      act="Show for 15 minutes"
      pending={showing.isPending}
      disabled={reason.trim().length < 4}
      error={fieldError(showing.error, 'reason') === null ? showing.error : null}
      onAct={form}
    >
      <p>The audit log records that you saw this tenant’s data, and why.</p>
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!showing.isPending) showing.mutate();
        }}
      >
        <Field
          label="Why do you need it?"
          hint="Such as the ticket’s number and what the tenant asked."
          error={fieldError(showing.error, 'reason')}
        >
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input"
              maxLength={500}
              autoComplete="off"
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
      </form>
    </ConfirmDialog>
  );
}
