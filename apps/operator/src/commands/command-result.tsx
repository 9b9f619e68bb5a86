import { Dialog } from '@base-ui/react/dialog';
import { visibleLines } from '@svc/ui/console/text/visible-text.ts';
import { saveFile } from '@svc/ui/frame/save-file.ts';
import type { CommandInfo } from '../api/commands.ts';
import { titleOf } from './command-words.ts';
import { findSecret, NewSecret } from './new-secret.tsx';

/** The output of a command, to read or to save. A new key or link is shown to be copied. */
export function CommandResult(props: { command: CommandInfo; text: string; result: unknown }) {
  const { command, text, result } = props;
  const secret = findSecret(result);
  if (secret) return <NewSecret secret={secret} />;
  return (
    <div className="command__form">
      <Dialog.Title className="svc-dialog__title">{titleOf(command)}</Dialog.Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard. */}
      <section className="command__result" tabIndex={0} aria-label="Result">
        <pre>{visibleLines(text.trimEnd())}</pre>
      </section>
      <div className="svc-dialog__actions command__actions">
        <button
          type="button"
          className="svc-button svc-button--secondary svc-button--small"
          onClick={() => saveFile(`${command.name}.txt`, new Blob([text], { type: 'text/plain' }))}
        >
          Save as a file
        </button>
        <Dialog.Close className="svc-button svc-button--small">Done</Dialog.Close>
      </div>
    </div>
  );
}
