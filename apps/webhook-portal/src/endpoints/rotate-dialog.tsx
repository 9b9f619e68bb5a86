import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rotateSecret, type Secret } from '../api/endpoints.ts';
import { AskDialog } from '../components/dialog.tsx';
import { say } from '../components/toast.tsx';

export function RotateDialog(props: {
  endpointId: string;
  open: boolean;
  onClose: () => void;
  onRotated: (secret: Secret) => void;
}) {
  const [overlap, setOverlap] = useState(86_400);
  const rotating = useMutation({
    mutationFn: () => rotateSecret(props.endpointId, overlap),
    onSuccess: (secret) => {
      props.onRotated(secret);
      props.onClose();
      say('There is a new secret. Put it into your receiver.');
    },
  });
  const close = () => {
    rotating.reset();
    props.onClose();
  };
  return (
    <AskDialog
      open={props.open}
      onClose={close}
      title="Rotate the signing secret"
      error={rotating.error}
      act="Make a new secret"
      pending={rotating.isPending}
      onAct={() => rotating.mutate()}
    >
      <p>
        During the overlap every webhook carries both signatures, so that none is refused while you
        change over.
      </p>
      <fieldset className="svc-field">
        <legend className="svc-field__label">How long the present secret still signs</legend>
        <div className="choices">
          {overlaps.map(({ seconds, words }) => (
            <label key={seconds}>
              <input
                type="radio"
                name="overlap"
                checked={overlap === seconds}
                onChange={() => setOverlap(seconds)}
              />
              {words}
            </label>
          ))}
        </div>
      </fieldset>
    </AskDialog>
  );
}

const overlaps = [
  { seconds: 3_600, words: '1 hour' },
  { seconds: 86_400, words: '24 hours' },
  { seconds: 604_800, words: '7 days' },
  { seconds: 0, words: 'Not at all: it leaked, revoke it now' },
];
