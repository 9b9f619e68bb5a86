import { fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { allowedOriginsQuery, saveAllowedOrigins } from '../api/allowed-origins.ts';
import { AdminOnly } from '../session/admin-only.tsx';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import './origins.css';

/** The pages that may show the widget and frame the experience. */
export function OriginsPage() {
  return (
    <AdminOnly title="Allowed origins">
      <Origins />
    </AdminOnly>
  );
}

function Origins() {
  const origins = useQuery(allowedOriginsQuery);
  const stored = origins.data?.allowed_origins;
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
      {stored ? <OriginsForm key={stored.join(' ')} stored={stored} /> : null}
    </div>
  );
}

interface Line {
  /** Stays with the line while others are removed. */
  readonly key: number;
  readonly origin: string;
}

const mostOrigins = 20;

function OriginsForm({ stored }: { stored: readonly string[] }) {
  const { read_only, environment } = useSession();
  const queryClient = useQueryClient();
  const [lines, setLines] = useState<Line[]>(() =>
    stored.map((origin, index) => ({ key: index, origin })),
  );
  const [added, setAdded] = useState<number | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const wanted = lines.map(({ origin }) => origin.trim()).filter((origin) => origin !== '');
  const save = useMutation({
    mutationFn: () => saveAllowedOrigins(wanted),
    onSuccess: (saved) => {
      queryClient.setQueryData(allowedOriginsQuery.queryKey, saved);
      showToast('Saved the allowed origins');
    },
  });
  const changed = wanted.join(' ') !== stored.join(' ');
  const names = wanted.map((_, index) => `allowed_origins[${index}]`);
  const problem = generalError(save.error, names);
  /** The field of the error counts only the lines that were sent. */
  const errorOf = (line: Line) => {
    const sent = lines.filter(({ origin }) => origin.trim() !== '').indexOf(line);
    return sent < 0 ? null : fieldError(save.error, `allowed_origins[${sent}]`);
  };
  const change = (key: number, origin: string) => {
    save.reset();
    setLines(lines.map((line) => (line.key === key ? { key, origin } : line)));
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
      {lines.length === 0 ? <NoOrigins environment={environment} /> : null}
      <div className="origins__lines">
        {lines.map((line, index) => (
          <OriginLine
            key={line.key}
            line={line}
            number={index + 1}
            error={errorOf(line)}
            disabled={read_only}
            onChange={(origin) => change(line.key, origin)}
            isNew={line.key === added}
            onRemove={() => {
              setLines(lines.filter(({ key }) => key !== line.key));
              addButton.current?.focus();
            }}
          />
        ))}
      </div>
      {read_only ? null : (
        <>
          <button
            ref={addButton}
            type="button"
            className="svc-button svc-button--secondary svc-button--small origins__add"
            disabled={lines.length >= mostOrigins}
            onClick={() => {
              setAdded(nextKey(lines));
              setLines([...lines, { key: nextKey(lines), origin: '' }]);
            }}
          >
            <Icon name="plus" /> Add origin
          </button>
          <p className="svc-field__error" role="alert">
            {problem}
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

function OriginLine(props: {
  line: Line;
  number: number;
  error: string | null;
  disabled: boolean;
  /** Whether the line was just added, so that typing can start. */
  isNew: boolean;
  onChange: (origin: string) => void;
  onRemove: () => void;
}) {
  const { line, number, error, disabled } = props;
  const described = `origin-error-${line.key}`;
  return (
    <div className="origins__line">
      <input
        className="svc-field__input svc-field__input--code"
        // biome-ignore lint/a11y/noAutofocus: the user asked for this line with the button.
        autoFocus={props.isNew}
        aria-label={`Origin ${number}`}
        aria-invalid={error !== null}
        aria-describedby={described}
        placeholder="https://portal.example"
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        readOnly={disabled}
        value={line.origin}
        onChange={({ target }) => props.onChange(target.value)}
      />
      {disabled ? null : (
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove origin ${number}`}
          title="Remove"
          onClick={props.onRemove}
        >
          <Icon name="close" />
        </button>
      )}
      <span className="svc-field__error origins__error" id={described}>
        {error}
      </span>
    </div>
  );
}

function nextKey(lines: readonly Line[]): number {
  return Math.max(0, ...lines.map(({ key }) => key)) + 1;
}
