import { Dialog } from '@base-ui/react/dialog';
import { visibleLines, visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { CommandInfo } from '../api/commands.ts';
import { titleOf } from './command-words.ts';
import { saveFile } from './save-file.ts';

export function WaitsForApproval({ message }: { message: string }) {
  return (
    <div className="command__form">
      <Dialog.Title className="svc-dialog__title">Waits for a second person</Dialog.Title>
      <p className="command__about" role="status">
        {visibleText(message)}
      </p>
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--small">Done</Dialog.Close>
      </div>
    </div>
  );
}

/** The output of a command, to read or to save. */
export function CommandResult({ command, text }: { command: CommandInfo; text: string }) {
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
          onClick={() => saveFile(`${command.name}.txt`, text)}
        >
          Save as a file
        </button>
        <Dialog.Close className="svc-button svc-button--small">Done</Dialog.Close>
      </div>
    </div>
  );
}
