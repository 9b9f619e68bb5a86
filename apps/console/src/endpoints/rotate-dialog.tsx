import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

interface RotateDialogProps<Rotated> {
  readonly noun: 'signing secret' | 'key pair';
  readonly open: boolean;
  /** @param overlap how long the current secret or key pair keeps signing, in seconds */
  readonly rotate: (overlap: number) => Promise<Rotated>;
  readonly onClose: () => void;
  readonly onRotated: (rotated: Rotated) => void;
}

/** Asks how long the current secret or key pair keeps signing, and creates another. */
export function RotateDialog<Rotated>(props: RotateDialogProps<Rotated>) {
  const { noun, open, rotate, onClose, onRotated } = props;
  const [overlap, setOverlap] = useState(86_400);
  const rotating = useMutation({
    mutationFn: () => rotate(overlap),
    onSuccess: (rotated) => {
      onRotated(rotated);
      onClose();
      showToast(`The ${noun} was rotated. Update your receiver.`);
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={() => {
        rotating.reset();
        onClose();
      }}
      title={`Rotate the ${noun}`}
      error={rotating.error}
      act={`Create new ${noun}`}
      pending={rotating.isPending}
      onAct={() => rotating.mutate()}
    >
      <p>
        During the overlap, every webhook carries both signatures, so none are rejected while you
        switch.
      </p>
      <fieldset className="svc-field">
        <legend className="svc-field__label">How long the current {noun} keeps signing</legend>
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
    </ConfirmDialog>
  );
}

const overlaps = [
  { seconds: 3_600, words: '1 hour' },
  { seconds: 86_400, words: '24 hours' },
  { seconds: 604_800, words: '7 days' },
  { seconds: 0, words: 'Not at all. It leaked; revoke it now.' },
];
