import { newIdempotencyKey } from '@svc/ui/console/api/client.ts';
import { fieldError } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  type CommandField,
  type CommandInfo,
  type CommandInput,
  type CommandValues,
  runCommand,
} from '../api/commands.ts';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import { ActForm, isReason, Preview, ReasonField, WaitsForApproval } from './act-form.tsx';
import { CommandFieldInput, isComplete, readTyped, type Typed } from './command-fields.tsx';
import { CommandResult } from './command-result.tsx';
import { hintOf, isDangerous, kindOf, labelOf, titleOf } from './command-words.ts';
import type { AskedCommand } from './open-command.ts';

interface Asked {
  readonly command: CommandInfo;
  readonly asked: AskedCommand;
  readonly onClose: () => void;
}

/** Shows a command's fields, then what it would do, and then what it did. */
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
  const isReady = isComplete(asks, typed) && (!command.needs_reason || isReason(reason));
  const change = (name: string, value: string | true | undefined) => {
    run.forgetPreview();
    setTyped((before) => {
      const others = Object.entries(before).filter(([other]) => other !== name);
      return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
    });
  };
  if (run.waiting !== null) return <WaitsForApproval message={run.waiting} />;
  if (run.done !== null) return <CommandResult command={command} {...run.done} />;
  return (
    <ActForm
      title={titleOf(command)}
      about={
        asked.about === undefined ? hintOf(command)?.replaceAll('--', '') : visibleText(asked.about)
      }
      act={needsPreview ? 'Preview' : titleOf(command)}
      isDangerous={isDangerous(command) && !needsPreview}
      isReady={isReady}
      isPending={acting.isPending}
      onAct={() => acting.mutate()}
      error={error && !isShown ? withoutOptions(error.message) : null}
      proofDialog={run.proofDialog}
    >
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
        <ReasonField
          reason={reason}
          optional={!command.needs_reason}
          error={error}
          onChange={(value) => {
            run.forgetPreview();
            setReason(value);
          }}
        />
      )}
      <Preview text={run.preview} />
    </ActForm>
  );
}

/**
 * Replaces the names of fields in a message with the form's labels: the command line calls "Portal"
 * `--partner <pms>`, and the API calls every field `input`.
 */
function withoutOptions(message: string): string {
  return message
    .replace(/^input /, 'This ')
    .replaceAll(/--([a-z][a-z-]*)( <[^>]*>)?/g, (_, name) => `“${labelOf({ name })}”`);
}

function fieldsToAsk(
  { fields }: CommandInfo,
  { input, without = [], needed = [] }: AskedCommand,
): readonly CommandField[] {
  return fields
    .filter(({ name }) => !(name in input) && !without.includes(name))
    .map((field) => (needed.includes(field.name) ? { ...field, is_required: true } : field));
}

const approvalNote = 'A second person must approve it before anything is done.';

/** Runs a command: first as a dry run if it moves money, and with a proof of who the person is if it needs one. */
function useCommandRun({ command, asked, onClose }: Asked, body: CommandInput) {
  const client = useQueryClient();
  const { prove, dialog: proofDialog } = useFreshProof();
  const [preview, setPreview] = useState<string | null>(null);
  const [done, setDone] = useState<{ text: string; result: unknown } | null>(null);
  const [waiting, setWaiting] = useState<string | null>(null);
  // One key for as long as the form is open, so that a retry after a lost response does not move the money again.
  const [key] = useState(() => newIdempotencyKey());
  const previewing = useMutation({
    mutationFn: () => prove(() => runCommand(command.name, { ...body, dry_run: true })),
    onSuccess: ({ text, needs_approval }) =>
      setPreview(needs_approval ? `${text.trim()}\n${approvalNote}` : text),
  });
  const running = useMutation({
    mutationFn: () =>
      prove(() =>
        runCommand(command.name, { ...body, ...(command.money && { idempotency_key: key }) }),
      ),
    // The result may contain an API key, which must not outlive the dialog.
    gcTime: 0,
    onSuccess: ({ text, approval_id, result }) => {
      if (approval_id !== null) {
        setWaiting(text.trim());
        return;
      }
      if (command.effect !== 'report') {
        void client.invalidateQueries();
        asked.onDone?.();
      }
      // A result of one line is shown as a toast. One that has to be read or saved stays in the dialog.
      if (command.effect === 'report' || command.writes_file || text.trim().includes('\n')) {
        setDone({ text, result });
        return;
      }
      onClose();
      showToast(visibleText(text.trim()));
    },
  });
  const needsPreview = command.money && preview === null;
  return {
    preview,
    done,
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
