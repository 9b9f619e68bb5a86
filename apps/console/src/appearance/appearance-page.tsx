import { adjustedAccents, defaultAccent } from '@svc/contract/accent';
import { accentPattern, type FontName, fontNames, largestRadius } from '@svc/contract/appearance';
import { BrandPreview, defaultRadius } from '@svc/ui/console/brand/brand-preview.tsx';
import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  type Appearance,
  type AppearanceSettings,
  appearanceQuery,
  type BrandFile,
  removeFile,
  saveAppearance,
  uploadFile,
} from '../api/appearance.ts';
import { useSession } from '../session/use-session.ts';
import './appearance.css';

/** Tries the partner's brand on the widget, the experience and a mail, and saves it. */
export function AppearancePage() {
  const { data } = useQuery(appearanceQuery);
  return (
    <div className="page">
      <PageHeader title="Appearance">
        <p className="page-header__lead">
          <span>
            Your brand in the experience, mails and documents. The widget takes the{' '}
            <code>appearance</code> of your page.
          </span>
        </p>
      </PageHeader>
      {data ? (
        <AppearanceForm stored={data} />
      ) : (
        <span className="svc-skeleton appearance__skeleton" />
      )}
    </div>
  );
}

/** The form's state. The accent is any text while it is typed, and is used once it is a color. */
interface Draft {
  accent: string;
  radius: number;
  font: FontName | '';
  theme: AppearanceSettings['theme'];
}

function AppearanceForm({ stored }: { stored: Appearance }) {
  const { pms, read_only } = useSession();
  const [draft, setDraft] = useState(() => draftOf(stored));
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const save = useSaving(saveAppearance, 'Saved the appearance');
  const isColor = draft.accent === '' || accentPattern.test(draft.accent);
  const accent = isColor && draft.accent !== '' ? draft.accent.toLowerCase() : null;
  const settings = settingsOf(draft, accent);
  const changed =
    JSON.stringify(settings) !== JSON.stringify(settingsOf(draftOf(stored), stored.accent));
  const problem = generalError(save.error, ['accent']);
  return (
    <div className="appearance">
      <form
        className="form appearance__form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isColor) save.mutate(settings);
        }}
      >
        <StyleFields
          draft={draft}
          isColor={isColor}
          accentError={fieldError(save.error, 'accent')}
          onChange={change}
        />
        <FileField
          kind="logo"
          label="Logo"
          hint="PNG, at most 64 kB and 1024 px on each side."
          stored={stored.logo !== null}
        />
        <FileField
          kind="font"
          label="Font file"
          hint="WOFF2, at most 200 kB. For the experience only."
          stored={stored.font_file !== null}
        />
        {problem ? (
          <p className="svc-field__error" role="alert">
            {problem}
          </p>
        ) : null}
        <div className="form__actions">
          <button
            type="submit"
            className="svc-button"
            disabled={read_only || !changed || !isColor}
            aria-busy={save.isPending}
          >
            Save
          </button>
          <button
            type="button"
            className="svc-button svc-button--quiet"
            disabled={!changed}
            onClick={() => setDraft(draftOf(stored))}
          >
            Discard changes
          </button>
        </div>
      </form>
      <BrandPreview
        name={pms}
        accent={accent}
        radius={draft.radius}
        font={draft.font || null}
        theme={draft.theme}
        logo={stored.logo && { ...stored.logo, url: pathOf(stored.logo.url) }}
        fontUrl={stored.font_file && pathOf(stored.font_file.url)}
      />
    </div>
  );
}

/** Returns a URL's path. The content security policy allows only the origin that the console was opened on. */
function pathOf(url: string): string {
  return new URL(url).pathname;
}

function draftOf({ accent, radius, font, theme }: Appearance): Draft {
  return { accent: accent ?? '', radius: radius ?? defaultRadius, font: font ?? '', theme };
}

/** Returns the settings to store. The default radius is stored as null, so that it follows the service's default. */
function settingsOf({ radius, font, theme }: Draft, accent: string | null): AppearanceSettings {
  return {
    accent,
    radius: radius === defaultRadius ? null : radius,
    font: font === '' ? null : font,
    theme,
  };
}

interface StyleFieldsProps {
  draft: Draft;
  /** True if the accent is empty or a color. */
  isColor: boolean;
  accentError: string | null;
  onChange: (part: Partial<Draft>) => void;
}

/** The accent, the radius, the font and the theme: everything but the uploaded files. */
function StyleFields({ draft, isColor, accentError, onChange }: StyleFieldsProps) {
  return (
    <>
      <AccentField
        value={draft.accent}
        isColor={isColor}
        error={accentError}
        onChange={(value) => onChange({ accent: value })}
      />
      <Field label="Corner radius" hint={`${draft.radius} px on buttons; cards follow.`}>
        {(wiring) => (
          <input
            {...wiring}
            className="appearance__range"
            type="range"
            min={0}
            max={largestRadius}
            value={draft.radius}
            onChange={(event) => onChange({ radius: Number(event.target.value) })}
          />
        )}
      </Field>
      <Field
        label="Font"
        hint="Fonts that the tenant’s system already has. An uploaded font comes first."
      >
        {(wiring) => (
          <select
            {...wiring}
            className="svc-field__input"
            value={draft.font}
            onChange={(event) => onChange({ font: event.target.value as Draft['font'] })}
          >
            <option value="">System (default)</option>
            {fontNames
              .filter((name) => name !== 'system')
              .map((name) => (
                <option key={name} value={name}>
                  {name.charAt(0).toUpperCase() + name.slice(1)}
                </option>
              ))}
          </select>
        )}
      </Field>
      <Field label="Theme" hint="Auto follows the color scheme of your page.">
        {(wiring) => (
          <select
            {...wiring}
            className="svc-field__input"
            value={draft.theme}
            onChange={(event) => onChange({ theme: event.target.value as Draft['theme'] })}
          >
            <option value="auto">Auto</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        )}
      </Field>
    </>
  );
}

function AccentField(props: {
  value: string;
  isColor: boolean;
  error: string | null;
  onChange: (value: string) => void;
}) {
  const { value, isColor, error, onChange } = props;
  const adjusted = value !== '' && isColor ? adjustedAccents(value) : [];
  return (
    <div className="appearance__accent">
      <Field
        label="Accent"
        hint="Buttons, links and progress, such as #1d4ed8. Empty: ours."
        error={isColor ? error : 'Use six hexadecimal digits, such as #1d4ed8.'}
      >
        {(wiring) => (
          <span className="appearance__color">
            <input
              type="color"
              aria-label="Pick the accent"
              value={value !== '' && isColor ? value.toLowerCase() : defaultAccent.light}
              onChange={(event) => onChange(event.target.value)}
            />
            <input
              {...wiring}
              className="svc-field__input svc-field__input--code"
              autoComplete="off"
              spellCheck={false}
              placeholder={defaultAccent.light}
              value={value}
              onChange={(event) => onChange(event.target.value.trim())}
            />
          </span>
        )}
      </Field>
      <div role="status">
        {adjusted.map(({ scheme, used }) => (
          <p key={scheme} className="svc-notice svc-tone-warn">
            <span>
              {value} has too little contrast on {scheme} pages. There we use <code>{used}</code>,
              the same hue{scheme === 'light' ? ' but darker' : ' but lighter'}.
            </span>
          </p>
        ))}
      </div>
    </div>
  );
}

/** An upload takes effect at once, without the form's Save. */
function FileField(props: { kind: BrandFile; label: string; hint: string; stored: boolean }) {
  const { kind, label, hint, stored } = props;
  const { read_only } = useSession();
  const upload = useSaving((file: File) => uploadFile(kind, file), `Uploaded the ${kind}`);
  const remove = useSaving(() => removeFile(kind), `Removed the ${kind}`);
  const error = upload.error ?? remove.error;
  const input = useRef<HTMLInputElement>(null);
  return (
    <Field label={label} hint={hint} error={error?.message}>
      {(wiring) => (
        <span className="appearance__file">
          <button
            type="button"
            className="svc-button svc-button--secondary svc-button--small"
            aria-busy={upload.isPending}
            aria-label={`${stored ? 'Replace file' : 'Choose file'}: ${label}`}
            disabled={read_only}
            onClick={() => upload.isPending || input.current?.click()}
          >
            {stored ? 'Replace file' : 'Choose file'}
          </button>
          <input
            {...wiring}
            ref={input}
            // Hidden, because this control looks different in every browser. The button opens it.
            className="svc-visually-hidden"
            tabIndex={-1}
            type="file"
            accept={kind === 'logo' ? 'image/png' : '.woff2,font/woff2'}
            disabled={read_only || upload.isPending}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) upload.mutate(file);
              // Reset, so that choosing the same file again uploads it again.
              target.value = '';
            }}
          />
          {stored ? (
            <button
              type="button"
              className="svc-button svc-button--quiet svc-button--small"
              disabled={read_only}
              onClick={() => remove.mutate(undefined)}
            >
              Remove
            </button>
          ) : null}
        </span>
      )}
    </Field>
  );
}

function useSaving<Input>(run: (input: Input) => Promise<Appearance>, done: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess(appearance) {
      client.setQueryData(appearanceQuery.queryKey, appearance);
      showToast(done);
    },
  });
}
