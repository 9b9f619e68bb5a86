import { useState } from 'react';
import { Field } from '../components/field.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { wallNow } from '../components/time/clock.ts';
import { readHeaders } from './diagnosis/read-input.ts';
import { FindingsView } from './findings-view.tsx';
import { LookUps } from './look-ups.tsx';
import { signExample } from './sign-example.ts';
import { useAttempt } from './use-attempt.ts';
import { type Pasted, useDiagnosis } from './use-diagnosis.ts';
import '../testing/testing.css';
import './debugger.css';

/** Why a receiver refuses a webhook: all is worked out in this browser, nothing pasted leaves it. */
export function DebuggerPage() {
  const [pasted, setPasted] = useState<Pasted>(nothing);
  const findings = useDiagnosis(pasted);
  useAttempt((found) => setPasted({ ...nothing, ...found }));
  const change = (part: Partial<Pasted>) => setPasted((before) => ({ ...before, ...part }));
  const empty = pasted === nothing;
  return (
    <div className="page">
      <PageHeader title="Signature debugger">
        <p className="page-header__lead">
          Paste a request that your server refused. It is checked in this browser, and what you
          paste does not leave it.
        </p>
      </PageHeader>
      {globalThis.isSecureContext ? (
        <div className="testing">
          <form className="testing__form" onSubmit={(event) => event.preventDefault()}>
            <Evidence pasted={pasted} change={change} />
            <LookUps messageId={readHeaders(pasted.headers).id} onFound={change} />
            <div className="testing__actions">
              <button
                type="button"
                className="svc-button svc-button--quiet svc-button--small"
                onClick={() =>
                  empty
                    ? void signExample(wallNow()).then((example) =>
                        setPasted({ ...nothing, ...example }),
                      )
                    : setPasted(nothing)
                }
              >
                {empty ? 'Fill in an example' : 'Clear'}
              </button>
            </div>
          </form>
          <FindingsView findings={findings} />
        </div>
      ) : (
        <div className="svc-notice svc-tone-warn">
          <p className="svc-notice__title">Open the portal over https</p>
          <p>Browsers compute signatures on https and on localhost only.</p>
        </div>
      )}
    </div>
  );
}

const nothing: Pasted = {
  headers: '',
  body: '',
  secret: '',
  computed: '',
  arrived: '',
  sent: null,
  others: [],
};

function Evidence(props: { pasted: Pasted; change: (part: Partial<Pasted>) => void }) {
  const { pasted, change } = props;
  return (
    <>
      <Paste
        label="Headers"
        hint="Lines, curl’s -H, or JSON. webhook-id, webhook-timestamp and webhook-signature are needed."
        rows={4}
        value={pasted.headers}
        onChange={(headers) => change({ headers, sent: null })}
      />
      <Paste
        label="Body"
        hint="Exactly as it arrived, before anything parsed it."
        rows={8}
        value={pasted.body}
        onChange={(body) => change({ body })}
      />
      <Paste
        label="Signing secret"
        hint="The one that your server verifies with."
        value={pasted.secret}
        onChange={(secret) => change({ secret })}
      />
      <details className="debugger__more">
        <summary>What your server saw (optional)</summary>
        <div className="testing__form">
          <Paste
            label="The signature that your code computed"
            hint="Base64 or hex. Tells what your code does otherwise."
            value={pasted.computed}
            onChange={(computed) => change({ computed })}
          />
          <Paste
            label="Your server’s clock when it arrived"
            hint="From its log: 2026-02-01T12:00:00Z, or Unix seconds."
            value={pasted.arrived}
            onChange={(arrived) => change({ arrived })}
          />
        </div>
      </details>
    </>
  );
}

function Paste(props: {
  label: string;
  hint: string;
  /** More than one line. */
  rows?: number;
  value: string;
  onChange: (value: string) => void;
}) {
  const { rows, value, onChange } = props;
  return (
    <Field label={props.label} hint={props.hint}>
      {(wiring) => {
        const given = {
          ...wiring,
          className: 'svc-field__input svc-field__input--code',
          spellCheck: false,
          autoComplete: 'off',
          autoCapitalize: 'off',
          value,
        };
        return rows === undefined ? (
          <input {...given} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <textarea {...given} rows={rows} onChange={(event) => onChange(event.target.value)} />
        );
      }}
    </Field>
  );
}
