import { Dialog } from '@base-ui/react/dialog';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type TenantName, viewTenant } from '../api/tenants.ts';

/** Opens the experience as the tenant sees it in another tab, where nothing can be changed. */
export function ViewDialog({ name, onClose }: { name: TenantName; onClose: () => void }) {
  const opening = useMutation({ mutationFn: viewTenant });
  const { mutate } = opening;
  const { partner, externalId } = name;
  useEffect(() => mutate({ partner, externalId }), [mutate, partner, externalId]);
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog">
          <Dialog.Title className="svc-dialog__title">See what the tenant sees</Dialog.Title>
          <Dialog.Description className="dialog__text">
            It opens in another tab for 10 minutes. Nothing can be changed there, and the tenant
            notices nothing. The audit log records that you looked.
          </Dialog.Description>
          {opening.error ? (
            <p className="svc-field__error" role="alert">
              {opening.error.message}
            </p>
          ) : null}
          <div className="svc-dialog__actions">
            <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
              Cancel
            </Dialog.Close>
            {opening.data ? (
              <a
                className="svc-button svc-button--small"
                href={opening.data.url}
                target="_blank"
                rel="noopener noreferrer"
                onClick={onClose}
              >
                Open
              </a>
            ) : null}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
