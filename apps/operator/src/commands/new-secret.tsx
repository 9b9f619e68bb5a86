import { Dialog } from '@base-ui/react/dialog';
import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';

/** A key or a link that a command has created. It can be copied here and is shown only once. */
interface Secret {
  readonly kind: 'key' | 'link';
  readonly title: string;
  readonly about: string;
  readonly value: string;
  readonly keyId: string | null;
}

/** The results of `key create`, `partner create`, `operator invite` and `operator link`. */
interface CommandOutput {
  readonly key_id?: string;
  readonly api_key?: string;
  readonly link?: { readonly url: string; readonly expires_at: string };
  readonly url?: string;
  readonly expires_at?: string | null;
  /** Set if a request was approved. `result` is then the result of the requested command. */
  readonly approval_id?: string;
  readonly result?: unknown;
}

/** Returns the secret in a command's result, or null. */
export function findSecret(result: unknown): Secret | null {
  if (typeof result !== 'object' || result === null) return null;
  const {
    key_id: keyId = null,
    api_key,
    link,
    url,
    expires_at,
    ...approval
  } = result as CommandOutput;
  if (approval.approval_id !== undefined) return findSecret(approval.result);
  if (link !== undefined) {
    return {
      kind: 'link',
      title: 'Send this link to the partner’s developer',
      about: `It shows the key once, until ${formatDate(link.expires_at.slice(0, 10))}. A preview of the link does not use it up. If the developer says that it was opened already, revoke the key and create another one.`,
      value: link.url,
      keyId,
    };
  }
  if (api_key !== undefined) {
    const about = 'It is shown only here and only once.';
    return { kind: 'key', title: 'Store the key now', about, value: api_key, keyId };
  }
  // People who sign in through the identity provider get the console's address, which does not expire.
  if (url === undefined || !expires_at) return null;
  const about = 'Use a safe channel: whoever opens it signs in. It works once, for 15 minutes.';
  return { kind: 'link', title: 'Send this link to the person', about, value: url, keyId };
}

/** Shows the secret. It is kept only in the dialog's memory. */
export function NewSecret({ secret: { kind, title, about, value, keyId } }: { secret: Secret }) {
  return (
    <div className="command__form">
      <div>
        <Dialog.Title className="svc-dialog__title">{title}</Dialog.Title>
        <p className="command__about" role="status">
          {about}
        </p>
      </div>
      <div className="command__secret">
        <code>{visibleText(value)}</code>
        <CopyButton label={`Copy the ${kind}`} text={value} />
      </div>
      {keyId === null ? null : (
        <p className="command__about">
          The key is <code>{keyId}</code>. Revoking it ends its link, too.
        </p>
      )}
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--small">
          {kind === 'link' ? 'Done, I have the link' : 'Done, it is stored'}
        </Dialog.Close>
      </div>
    </div>
  );
}
