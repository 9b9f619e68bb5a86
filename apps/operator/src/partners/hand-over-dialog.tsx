import { Dialog } from '@base-ui/react/dialog';
import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { runCommand } from '../api/commands.ts';
import { everyPartner } from '../api/partners.ts';
import { WaitsForApproval } from '../commands/command-result.tsx';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import './hand-over.css';

interface Props {
  readonly open: boolean;
  /** The portal that gets another key; null to create a portal with its first one. */
  readonly pms: string | null;
  readonly onClose: () => void;
}

/** Creates a key, and hands it over by a link that works once, or by showing it here. */
export function HandOverDialog({ open, pms, onClose }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog">
          <HandOver pms={pms} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The result of the commands `key create` and `partner create`. */
interface Created {
  readonly key_id: string;
  readonly api_key?: string;
  readonly link?: { readonly url: string; readonly expires_at: string };
}

function HandOver({ pms }: { pms: string | null }) {
  const client = useQueryClient();
  const { prove, dialog: proofDialog } = useFreshProof();
  const [portal, setPortal] = useState('');
  const [byLink, setByLink] = useState(true);
  const [reason, setReason] = useState('');
  const creating = useMutation({
    mutationFn: () => {
      const input = { pms: pms ?? portal.trim(), ...(byLink && { link: true as const }) };
      const why = reason.trim() === '' ? {} : { reason: reason.trim() };
      const command = pms === null ? 'partner-create' : 'key-create';
      return prove(() => runCommand(command, { input, ...why }));
    },
    onSuccess: () => client.invalidateQueries(everyPartner),
    // It may hold the key, which must not outlive the dialog.
    gcTime: 0,
  });
  const { data, error } = creating;
  if (data && data.approval_id !== null) return <WaitsForApproval message={data.text} />;
  if (data) return <HandedOver created={data.result as unknown as Created} />;
  const isReady = pms !== null || portal.trim() !== '';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady && !creating.isPending) creating.mutate();
  };
  const problem = generalError(error, ['input.pms', 'pms', 'reason']);
  return (
    <form className="hand-over" onSubmit={submit}>
      <Dialog.Title className="svc-dialog__title hand-over__title">
        {pms === null ? 'New partner' : `New key for ${visibleText(pms)}`}
      </Dialog.Title>
      {pms === null ? (
        <Field
          label="Portal name"
          hint="Such as maple-living. It is in the partner’s calls and pages, and does not change."
          error={fieldError(error, 'input.pms') ?? fieldError(error, 'pms')}
        >
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input svc-field__input--code"
              autoComplete="off"
              spellCheck={false}
              value={portal}
              onChange={({ target }) => setPortal(target.value)}
            />
          )}
        </Field>
      ) : (
        <p className="hand-over__about">
          The keys that work now keep working. Revoke the old one when the partner has switched.
        </p>
      )}
      <Ways byLink={byLink} onChange={setByLink} />
      <Field
        label="Reason"
        optional
        hint="The audit log keeps it with your name."
        error={fieldError(error, 'reason')}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            maxLength={200}
            autoComplete="off"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      {problem === null ? null : (
        <p className="svc-field__error" role="alert">
          {problem}
        </p>
      )}
      <div className="svc-dialog__actions hand-over__actions">
        <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
          Cancel
        </Dialog.Close>
        <button
          type="submit"
          className="svc-button svc-button--small"
          aria-busy={creating.isPending}
          disabled={!isReady}
        >
          {pms === null ? 'Create partner' : 'Create key'}
        </button>
      </div>
      {proofDialog}
    </form>
  );
}

const ways = [
  {
    byLink: true,
    name: 'By a link that works once',
    about:
      'The partner’s developer opens it within 7 days. No one else sees the key, not even you.',
  },
  {
    byLink: false,
    name: 'Show the key here',
    about: 'You see it once, and have to find a safe way to send it.',
  },
];

function Ways(props: { byLink: boolean; onChange: (byLink: boolean) => void }) {
  return (
    <fieldset className="svc-field hand-over__ways">
      <legend className="svc-field__label">How it is handed over</legend>
      {ways.map(({ byLink, name, about }) => (
        <label key={name} className="hand-over__way" data-chosen={props.byLink === byLink}>
          <input
            type="radio"
            name="way"
            checked={props.byLink === byLink}
            onChange={() => props.onChange(byLink)}
          />
          <span>
            {name}
            <span className="hand-over__hint">{about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The link or the key. It is in the memory of the dialog only. */
function HandedOver({ created: { key_id, api_key, link } }: { created: Created }) {
  const value = link?.url ?? api_key ?? '';
  return (
    <div className="hand-over">
      <Dialog.Title className="svc-dialog__title hand-over__title">
        {link ? 'Send this link to the partner’s developer' : 'Store the key now'}
      </Dialog.Title>
      <p className="hand-over__about" role="status">
        {link
          ? `It shows the key once, until ${formatDate(link.expires_at.slice(0, 10))}. A preview of the link does not use it up. If the developer says that it was opened already, revoke the key and create another one.`
          : 'It is shown only here and only once.'}
      </p>
      <div className="hand-over__secret">
        <code>{value}</code>
        <CopyButton label={link ? 'Copy the link' : 'Copy the key'} text={value} />
      </div>
      <p className="hand-over__about">
        The key is <code>{key_id}</code>. Revoking it ends the link, too.
      </p>
      <div className="svc-dialog__actions hand-over__actions">
        <Dialog.Close className="svc-button svc-button--small">
          {link ? 'Done, I have the link' : 'Done, it is stored'}
        </Dialog.Close>
      </div>
    </div>
  );
}
