import { fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import {
  type AllowedOrigins,
  allowedOriginsQuery,
  saveAllowedOrigins,
} from '../api/allowed-origins.ts';
import { AdminOnly } from '../session/admin-only.tsx';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import './origins.css';

/** The pages that may show the widget and frame the experience, and the apps that it may return to. */
export function OriginsPage() {
  return (
    <AdminOnly title="Allowed origins">
      <Origins />
    </AdminOnly>
  );
}

function Origins() {
  const origins = useQuery(allowedOriginsQuery);
  const stored = origins.data;
  return (
    <div className="page">
      <PageHeader title="Allowed origins">
        <p className="page-header__lead">
          Pages of these origins may show the widget and the experience.
        </p>
      </PageHeader>
      <LoadState
        query={origins}
        loading="Loading the allowed origins"
        rows={3}
        failed="The allowed origins could not be loaded"
      />
      {stored ? <OriginsForm key={JSON.stringify(stored)} stored={stored} /> : null}
    </div>
  );
}

function OriginsForm({ stored }: { stored: AllowedOrigins }) {
  const { read_only, environment } = useSession();
  const queryClient = useQueryClient();
  const [origins, setOrigins] = useState(() => linesOf(stored.allowed_origins));
  const [schemes, setSchemes] = useState(() => linesOf(stored.app_schemes));
  const requestBody = { allowed_origins: valuesOf(origins), app_schemes: valuesOf(schemes) };
  const save = useMutation({
    mutationFn: () => saveAllowedOrigins(requestBody),
    onSuccess: (saved) => {
      queryClient.setQueryData(allowedOriginsQuery.queryKey, saved);
      showToast('Saved the allowed origins');
    },
  });
  const changed = JSON.stringify(requestBody) !== JSON.stringify(stored);
  const fields = Object.entries(requestBody).flatMap(([name, values]) =>
    values.map((_, index) => `${name}[${index}]`),
  );
  /** Returns the error of a line. The index in an error counts only lines that were sent, not empty ones. */
  const errorOf = (name: keyof AllowedOrigins, lines: readonly Line[], line: Line) => {
    const sent = lines.filter(({ value }) => value.trim() !== '').indexOf(line);
    return sent < 0 ? null : fieldError(save.error, `${name}[${sent}]`);
  };
  return (
    <form
      className="form origins"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !save.isPending) save.mutate();
      }}
    >
      {read_only ? <ReadOnlyNotice what="change the origins" /> : null}
      {origins.length === 0 ? <NoOrigins environment={environment} /> : null}
      <LineList
        noun="Origin"
        placeholder="https://portal.example"
        most={20}
        lines={origins}
        disabled={read_only}
        errorOf={(line) => errorOf('allowed_origins', origins, line)}
        onChange={(lines) => {
          save.reset();
          setOrigins(lines);
        }}
      />
      <h2 className="section-title">App schemes</h2>
      <p className="origins__lead">
        From a{' '}
        <a className="svc-link" href="/docs/hosted">
          hosted link
        </a>
        , the tenant can return to an app that opens addresses of these schemes.
      </p>
      <LineList
        noun="App scheme"
        placeholder="com.example.app"
        most={10}
        lines={schemes}
        disabled={read_only}
        errorOf={(line) => errorOf('app_schemes', schemes, line)}
        onChange={(lines) => {
          save.reset();
          setSchemes(lines);
        }}
      />
      {read_only ? null : (
        <>
          <p className="svc-field__error" role="alert">
            {generalError(save.error, fields)}
          </p>
          <div className="form__actions">
            <button
              type="submit"
              className="svc-button"
              aria-busy={save.isPending}
              disabled={!changed}
            >
              Save
            </button>
          </div>
        </>
      )}
    </form>
  );
}

function NoOrigins({ environment }: { environment: string }) {
  return (
    <p className="svc-notice svc-tone-info">
      {environment === 'sandbox'
        ? 'The list is empty, so in the sandbox any page may show them.'
        : 'The list is empty, so in production no page may show them.'}
    </p>
  );
}

interface Line {
  /** Identifies the line while others are removed. */
  readonly key: number;
  readonly value: string;
}

function linesOf(values: readonly string[]): readonly Line[] {
  return values.map((value, key) => ({ key, value }));
}

function valuesOf(lines: readonly Line[]): string[] {
  return lines.map(({ value }) => value.trim()).filter((value) => value !== '');
}

interface LineListProps {
  /** The label of a line, before its number. */
  readonly noun: string;
  readonly placeholder: string;
  readonly most: number;
  readonly lines: readonly Line[];
  readonly disabled: boolean;
  readonly errorOf: (line: Line) => string | null;
  readonly onChange: (lines: readonly Line[]) => void;
}

/** A text field for each line, with buttons that remove it and add another. */
function LineList(props: LineListProps) {
  const { noun, lines, disabled, onChange } = props;
  const id = useId();
  const [added, setAdded] = useState<number | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const nextKey = Math.max(0, ...lines.map(({ key }) => key)) + 1;
  return (
    <>
      <div className="origins__lines">
        {lines.map((line, index) => (
          <div className="origins__line" key={line.key}>
            <input
              className="svc-field__input svc-field__input--code"
              // biome-ignore lint/a11y/noAutofocus: the user asked for this line with the button.
              autoFocus={line.key === added}
              aria-label={`${noun} ${index + 1}`}
              aria-invalid={props.errorOf(line) !== null}
              aria-describedby={`${id}-${line.key}`}
              placeholder={props.placeholder}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={300}
              readOnly={disabled}
              value={line.value}
              onChange={({ target: { value } }) =>
                onChange(lines.map((one) => (one === line ? { ...line, value } : one)))
              }
            />
            {disabled ? null : (
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove ${noun.toLowerCase()} ${index + 1}`}
                title="Remove"
                onClick={() => {
                  onChange(lines.filter((one) => one !== line));
                  addButton.current?.focus();
                }}
              >
                <Icon name="close" />
              </button>
            )}
            <span className="svc-field__error origins__error" id={`${id}-${line.key}`}>
              {props.errorOf(line)}
            </span>
          </div>
        ))}
      </div>
      {disabled ? null : (
        <button
          ref={addButton}
          type="button"
          className="svc-button svc-button--secondary svc-button--small origins__add"
          disabled={lines.length >= props.most}
          onClick={() => {
            setAdded(nextKey);
            onChange([...lines, { key: nextKey, value: '' }]);
          }}
        >
          <Icon name="plus" /> Add {noun.toLowerCase()}
        </button>
      )}
    </>
  );
}
