import { Field } from '@svc/ui/console/parts/field.tsx';

/** A password and an authenticator app's code. Both are asked for together, so that neither can be guessed alone. */
export function ProofFields(props: {
  password: string;
  code: string;
  onPassword: (password: string) => void;
  onCode: (code: string) => void;
}) {
  return (
    <>
      <Field label="Password">
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            type="password"
            autoComplete="current-password"
            maxLength={200}
            value={props.password}
            onChange={({ target }) => props.onPassword(target.value)}
          />
        )}
      </Field>
      <CodeInput code={props.code} onCode={props.onCode} />
    </>
  );
}

/** The six digits that an authenticator app shows. */
export function CodeInput({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  return (
    <Field label="Code" hint="The 6 digits that your authenticator app shows now.">
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input svc-field__input--code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          onChange={({ target }) => onCode(target.value.replaceAll(/\D/g, ''))}
        />
      )}
    </Field>
  );
}
