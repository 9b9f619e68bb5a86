import { CodeField, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { runCommand } from '../api/commands.ts';
import { everyPartner } from '../api/partners.ts';
import { ActDialog, ActForm, ReasonField, WaitsForApproval } from '../commands/act-form.tsx';
import { findSecret, NewSecret } from '../commands/new-secret.tsx';
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
    <ActDialog open={open} onClose={onClose}>
      <HandOver pms={pms} />
    </ActDialog>
  );
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
    // The result may contain the key, which must not outlive the dialog.
    gcTime: 0,
  });
  const { data, error } = creating;
  if (data && data.approval_id !== null) return <WaitsForApproval message={data.text} />;
  const secret = data && findSecret(data.result);
  if (secret) return <NewSecret secret={secret} />;
  return (
    <ActForm
      title={pms === null ? 'New partner' : `New key for ${visibleText(pms)}`}
      about={
        pms === null
          ? 'A partner calls your API with a key of its own.'
          : 'The keys that work now keep working. Revoke the old one when the partner has switched.'
      }
      act={pms === null ? 'Create partner' : 'Create key'}
      isReady={pms !== null || portal.trim() !== ''}
      isPending={creating.isPending}
      onAct={() => creating.mutate()}
      error={generalError(error, ['input.pms', 'pms', 'reason'])}
      proofDialog={proofDialog}
    >
      {pms === null ? (
        <CodeField
          label="Portal name"
          hint="Such as maple-living. It is in the partner’s calls and pages, and does not change."
          error={fieldError(error, 'input.pms') ?? fieldError(error, 'pms')}
          value={portal}
          onChange={setPortal}
        />
      ) : null}
      <Ways byLink={byLink} onChange={setByLink} />
      <ReasonField reason={reason} optional error={error} onChange={setReason} />
    </ActForm>
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
