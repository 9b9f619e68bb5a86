import { ApiError } from '@svc/ui/console/api/client.ts';
import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Field } from '@svc/ui/console/parts/field.tsx';
import { minuteTime } from '@svc/ui/console/time/format-time.ts';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useId, useState } from 'react';
import { type ForkInput, forkTenant, type TenantEvent } from '../api/time-machine.ts';
import { useTenantChange } from '../tenants/use-tenant-change.ts';

type ChangeName = 'nothing' | keyof NonNullable<ForkInput['change']>;

const changes: Record<ChangeName, { label: string; value: string; initial: string }> = {
  nothing: { label: 'Nothing', value: '', initial: '' },
  fail_next_payment: { label: 'The next payment fails', value: 'Code', initial: 'R01' },
  advance_clock: { label: 'The clock moves on', value: 'Duration', initial: 'P30D' },
  underwriting_result: {
    label: 'The application is declined',
    value: '',
    initial: 'WILL_BE_DECLINED',
  },
  terms_version: { label: 'The terms', value: 'Version of the terms', initial: '' },
};

interface CopyDialogProps {
  readonly externalId: string;
  readonly at: TenantEvent;
  readonly onClose: () => void;
}

/** Asks what to change in the copy, creates it, and shows it next to the tenant, even if it was not reproduced. */
export function CopyDialog({ externalId, at, onClose }: CopyDialogProps) {
  const form = useId();
  const navigate = useNavigate();
  const [name, setName] = useState<ChangeName>('nothing');
  const [value, setValue] = useState('');
  const [delivers, setDelivers] = useState(false);
  const compare = (copy: string) =>
    void navigate({ to: '/time-machine', search: { tenant: externalId, copy } });
  const copying = useTenantChange(
    (input: ForkInput) =>
      forkTenant(externalId, input).catch((error: unknown) => {
        const copy = copyOfRefusal(error);
        // The page shows the difference.
        if (copy !== null) return { external_id: copy };
        throw error;
      }),
    ({ external_id }) => compare(external_id),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (copying.isPending) return;
    copying.mutate({
      at: at.id,
      ...(name === 'nothing' ? {} : { change: { [name]: value } }),
      deliver_webhooks: delivers,
    });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Copy from here"
      error={copying.error}
      act="Copy the tenant"
      pending={copying.isPending}
      onAct={form}
    >
      <p>
        The copy is as the tenant was after <b>{at.type}</b> on {minuteTime(at.occurred_at)}.
      </p>
      <form id={form} className="simulation__form" onSubmit={submit} noValidate>
        <Field label="What is different">
          {(wiring) => (
            <select
              {...wiring}
              className="svc-field__input svc-field__input--small"
              value={name}
              onChange={({ target }) => {
                const chosen = target.value as ChangeName;
                setName(chosen);
                setValue(changes[chosen].initial);
              }}
            >
              {Object.entries(changes).map(([key, { label }]) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {changes[name].value === '' ? null : (
          <Field
            label={changes[name].value}
            hint={name === 'advance_clock' ? 'Such as P30D, P2W or P1M.' : undefined}
          >
            {(wiring) => (
              <input
                {...wiring}
                className="svc-field__input svc-field__input--small"
                autoComplete="off"
                spellCheck={false}
                maxLength={100}
                value={value}
                onChange={({ target }) => setValue(target.value.trim())}
              />
            )}
          </Field>
        )}
        <label className="time-machine__check">
          <input
            type="checkbox"
            checked={delivers}
            onChange={({ target }) => setDelivers(target.checked)}
          />
          Send the webhooks about the copy to your endpoints
        </label>
      </form>
    </ConfirmDialog>
  );
}

/** Returns the copy's id from a `not_reproducible` error, or null for others. The copy is kept for the comparison. */
function copyOfRefusal(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'not_reproducible') return null;
  return /^The copy (.+?) is not like /.exec(error.message)?.[1] ?? null;
}
