import { Dialog } from '@base-ui/react/dialog';
import { newIdempotencyKey } from '@svc/ui/console/api/client.ts';
import { Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleLines, visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import {
  type CommandField,
  type CommandInfo,
  type CommandInput,
  type CommandValues,
  runCommand,
} from '../api/commands.ts';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import { CommandFieldInput, isComplete, readTyped, type Typed } from './command-fields.tsx';
import { CommandResult, WaitsForApproval } from './command-result.tsx';
import { hintOf, isDangerous, kindOf, labelOf, titleOf } from './command-words.ts';
import type { AskedCommand } from './open-command.ts';

interface Asked {
  readonly command: CommandInfo;
  readonly asked: AskedCommand;
  readonly onClose: () => void;
}

/** The fields of a command, what it would do, and then what it did. */
export function CommandForm({ command, asked, onClose }: Asked) {
  const [typed, setTyped] = useState<Typed>({});
  const [reason, setReason] = useState('');
  const asks = fieldsToAsk(command, asked);
  const body = {
    input: { ...asked.input, ...readTyped(asks, typed) },
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  };
  const run = useCommandRun({ command, asked, onClose }, body);
  const { needsPreview, acting, error } = run;
  const shownFields = asks.map(({ name }) => `input.${name}`);
  const isShown = [...shownFields, 'reason'].some((name) => fieldError(error, name) !== null);
  const isReady = isComplete(asks, typed) && (!command.needs_reason || reason.trim().length >= 4);
  const change = (name: string, value: string | true | undefined) => {
    run.forgetPreview();
    setTyped((before) => {
      const others = Object.entries(before).filter(([other]) => other !== name);
      return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
    });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady && !acting.isPending) acting.mutate();
  };
  if (run.waiting !== null) return <WaitsForApproval message={run.waiting} />;
  if (run.result !== null) return <CommandResult command={command} text={run.result} />;
  return (
    <form className="command__form" onSubmit={submit}>
      <div>
        <Dialog.Title className="svc-dialog__title">{titleOf(command)}</Dialog.Title>
        <Dialog.Description className="command__about">
          {asked.about === undefined
            ? hintOf(command)?.replaceAll('--', '')
            : visibleText(asked.about)}
        </Dialog.Description>
      </div>
      {asked.about === undefined ? <Known command={command} input={asked.input} /> : null}
      {asks.map((field) => (
        <CommandFieldInput
          key={field.name}
          field={field}
          choices={asked.choices?.[field.name]}
          typed={typed[field.name]}
          error={fieldError(error, `input.${field.name}`)}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      {command.effect === 'report' ? null : (
        <Field
          label="Reason"
          optional={!command.needs_reason}
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
              onChange={({ target }) => {
                run.forgetPreview();
                setReason(target.value);
              }}
            />
          )}
        </Field>
      )}
      <div className="command__preview" role="status">
        {run.preview === null ? null : (
          <div className="svc-notice svc-tone-info">
            <p className="svc-notice__title">If you go ahead</p>
            <p className="command__effects">{visibleLines(run.preview.trim())}</p>
          </div>
        )}
      </div>
      {error && !isShown ? (
        <p className="svc-field__error" role="alert">
          {error.message}
        </p>
      ) : null}
      <div className="svc-dialog__actions command__actions">
        <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
          Cancel
        </Dialog.Close>
        <button
          type="submit"
          className={`svc-button svc-button--small ${
            isDangerous(command) && !needsPreview ? 'svc-button--danger' : ''
          }`}
          aria-busy={acting.isPending}
          disabled={!isReady}
        >
          {needsPreview ? 'Preview' : titleOf(command)}
        </button>
      </div>
      {run.proofDialog}
    </form>
  );
}

function fieldsToAsk(
  { fields }: CommandInfo,
  { input, without = [], needed = [] }: AskedCommand,
): readonly CommandField[] {
  return fields
    .filter(({ name }) => !(name in input) && !without.includes(name))
    .map((field) => (needed.includes(field.name) ? { ...field, is_required: true } : field));
}

/** Runs a command: first as a dry run if it moves money, and with a proof of who the person is if it needs one. */
function useCommandRun({ command, asked, onClose }: Asked, body: CommandInput) {
  const client = useQueryClient();
  const { prove, dialog: proofDialog } = useFreshProof();
  const [preview, setPreview] = useState<string | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<string | null>(null);
  // Of this form, so that a repeat after a lost answer does not move the money again.
  const [key] = useState(() => newIdempotencyKey());
  const previewing = useMutation({
    mutationFn: () => prove(() => runCommand(command.name, { ...body, dry_run: true })),
    onSuccess: ({ text }) => setPreview(text),
  });
  const running = useMutation({
    mutationFn: () =>
      prove(() =>
        runCommand(command.name, { ...body, ...(command.money && { idempotency_key: key }) }),
      ),
    onSuccess: ({ text, approval_id }) => {
      if (approval_id !== null) {
        setWaiting(text.trim());
        return;
      }
      if (command.effect !== 'report') {
        void client.invalidateQueries();
        asked.onDone?.();
      }
      // One sentence is confirmed in passing. What has to be read or saved stays.
      if (command.effect === 'report' || command.writes_file || text.trim().includes('\n')) {
        setResult(text);
        return;
      }
      onClose();
      showToast(visibleText(text.trim()));
    },
  });
  const needsPreview = command.money && preview === null;
  return {
    preview,
    result,
    waiting,
    needsPreview,
    acting: needsPreview ? previewing : running,
    error: previewing.error ?? running.error,
    forgetPreview: () => setPreview(null),
    proofDialog,
  };
}

/** Values that the page has filled in already. */
function Known({ command, input }: { command: CommandInfo; input: CommandValues }) {
  const known = command.fields.filter(({ name }) => name in input);
  if (known.length === 0) return null;
  return (
    <dl className="facts command__known">
      {known.map((field) => (
        <div key={field.name}>
          <dt>{labelOf(field)}</dt>
          <dd>{knownText(field, input[field.name])}</dd>
        </div>
      ))}
    </dl>
  );
}

function knownText(field: CommandField, value: unknown): ReactNode {
  if (kindOf(field) === 'money') return formatCents(Number(value));
  return value === true ? 'Yes' : visibleText(String(value));
}
