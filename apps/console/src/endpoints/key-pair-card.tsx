import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Endpoint, endpointQuery, rotateKeyPair } from '../api/endpoints.ts';
import { useSession } from '../session/use-session.ts';
import { RotateDialog } from './rotate-dialog.tsx';

/** Rotates the ed25519 key pair. The public keys are among the endpoint's settings. */
export function KeyPairCard({ endpoint }: { endpoint: Endpoint }) {
  const { read_only } = useSession();
  const queryClient = useQueryClient();
  const [rotating, setRotating] = useState(false);
  if (!endpoint.asymmetric_signature || read_only) return null;
  return (
    <section className="svc-card side-card" aria-label="Key pair">
      <h2 className="section-title">Key pair</h2>
      <p className="side-card__quiet">
        Webhooks also carry an ed25519 signature, which the public key verifies.
      </p>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small side-card__action"
        onClick={() => setRotating(true)}
      >
        <Icon name="rotate" /> Rotate the key pair
      </button>
      <RotateDialog
        noun="key pair"
        open={rotating}
        rotate={(overlap) => rotateKeyPair(endpoint.id, overlap)}
        onClose={() => setRotating(false)}
        onRotated={({ public_keys }) =>
          queryClient.setQueryData(endpointQuery(endpoint.id).queryKey, {
            ...endpoint,
            public_keys,
          })
        }
      />
    </section>
  );
}
