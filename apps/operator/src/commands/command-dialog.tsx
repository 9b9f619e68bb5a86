import { Dialog } from '@base-ui/react/dialog';
import { newIdempotencyKey } from '@svc/ui/console/api/client.ts';
import { Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleLines, visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import {
  type CommandField,
  type CommandInfo,
  type CommandValues,
  commandsQuery,
  runCommand,
} from '../api/commands.ts';
import { useFreshProof } from '../session/use-fresh-proof.tsx';
import {
  centsOf,
  choicesOf,
  hintOf,
  isDangerous,
  kindOf,
  labelOf,
  titleOf,
} from './command-words.ts';
import { type AskedCommand, onOpenCommand } from './open-command.ts';
import { saveFile } from './save-file.ts';
import './command-dialog.css';

/** Renders the dialog of the command that was opened last. One for the whole console. */
export function CommandDialogs() {
  const [asked, setAsked] = useState<AskedCommand | null>(null);
  const [open, setOpen] = useState(false);
  useEffect(
    () =>
      onOpenCommand((next) => {
        setAsked(next);
        setOpen(true);
      }),
    [],
  );
  const command = useQuery(commandsQuery).data?.find(({ name }) => name === asked?.name);
  return (
    <Dialog.Root open={open && command !== undefined} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog command">
          {command && asked ? (
            <CommandForm command={command} asked={asked} onClose={() => setOpen(false)} />
          ) : null}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type Typed = Readonly<Record<string, string | true>>;

function CommandForm(props: { command: CommandInfo; asked: AskedCommand; onClose: () => void }) {
  const { command, asked, onClose } = props;
  const client = useQueryClient();
  const { prove, dialog: proofDialog } = useFreshProof();
  const [typed, setTyped] = useState<Typed>({});
  const [reason, setReason] = useState('');
  const [preview, setPreview] = useState<string | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<string | null>(null);
  // Of this form, so that a repeat after a lost answer does not move the money again.
  const [key] = useState(() => newIdempotencyKey());
  const asks = fieldsToAsk(command, asked);
  const input = { ...asked.input, ...readTyped(asks, typed) };
  const body = { input, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
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
  const acting = needsPreview ? previewing : running;
  const error = previewing.error ?? running.error;
  const shownFields = asks.map(({ name }) => `input.${name}`);
  const isShown = [...shownFields, 'reason'].some((name) => fieldError(error, name) !== null);
  const isReady =
    asks.every((field) => !field.is_required || isFilled(field, typed)) &&
    asks.every((field) => isReadable(field, typed)) &&
    (!command.needs_reason || reason.trim().length >= 4);
  const change = (name: string, value: string | true | undefined) => {
    setPreview(null);
    setTyped((before) => {
      const others = Object.entries(before).filter(([other]) => other !== name);
      return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
    });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady && !acting.isPending) acting.mutate();
  };
  if (waiting !== null) return <WaitsForApproval message={waiting} />;
  if (result !== null) return <CommandResult command={command} text={result} />;
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
                setPreview(null);
                setReason(target.value);
              }}
            />
          )}
        </Field>
      )}
      <div className="command__preview" role="status">
        {preview === null ? null : (
          <div className="svc-notice svc-tone-info">
            <p className="svc-notice__title">If you go ahead</p>
            <p>{visibleText(preview.trim())}</p>
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
      {proofDialog}
    </form>
  );
}

/** Shown instead of a result, when a second person must approve the command. */
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
function CommandResult({ command, text }: { command: CommandInfo; text: string }) {
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

function CommandFieldInput(props: {
  field: CommandField;
  typed: string | true | undefined;
  error: string | null;
  onChange: (value: string | true | undefined) => void;
}) {
  const { field, typed, error, onChange } = props;
  const kind = kindOf(field);
  if (kind === 'flag') {
    return (
      <label className="command__flag">
        <input
          type="checkbox"
          checked={typed === true}
          onChange={({ target }) => onChange(target.checked ? true : undefined)}
        />
        <span>
          {labelOf(field)}
          <span className="command__flag-hint">{hintOf(field)}</span>
        </span>
      </label>
    );
  }
  const text = typeof typed === 'string' ? typed : '';
  const set = (value: string) => onChange(value === '' ? undefined : value);
  const wrong = kind === 'money' && !isReadable(field, { [field.name]: text });
  return (
    <Field
      label={labelOf(field)}
      optional={!field.is_required}
      hint={kind === 'money' ? 'In dollars, such as 380.03.' : hintOf(field)}
      error={wrong ? 'This is not an amount. Write it like 380.03.' : error}
    >
      {(wiring) =>
        kind === 'choice' ? (
          <select
            {...wiring}
            className="svc-field__input"
            value={text}
            onChange={({ target }) => set(target.value)}
          >
            <option value="">Choose</option>
            {(field.choices ?? choicesOf(field.syntax))?.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : kind === 'file' ? (
          <input
            {...wiring}
            className="svc-field__input"
            type="file"
            onChange={async ({ target }) => set((await target.files?.[0]?.text()) ?? '')}
          />
        ) : (
          <input
            {...wiring}
            className="svc-field__input"
            type={kind === 'date' ? 'date' : 'text'}
            inputMode={kind === 'money' ? 'decimal' : undefined}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => set(target.value)}
          />
        )
      }
    </Field>
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

/** The typed values as the command takes them. Those that are empty or unreadable are left out. */
function readTyped(fields: readonly CommandField[], typed: Typed): CommandValues {
  const entries = fields.flatMap((field): [string, string | true][] => {
    const value = typed[field.name];
    if (value === undefined) return [];
    if (value === true || kindOf(field) !== 'money') return [[field.name, value]];
    const cents = centsOf(value);
    return cents === null ? [] : [[field.name, String(cents)]];
  });
  return Object.fromEntries(entries);
}

function isFilled({ name }: CommandField, typed: Typed): boolean {
  return typed[name] !== undefined;
}

function isReadable(field: CommandField, typed: Typed): boolean {
  const value = typed[field.name];
  if (typeof value !== 'string' || value === '' || kindOf(field) !== 'money') return true;
  return centsOf(value) !== null;
}
