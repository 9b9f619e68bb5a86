import { Field } from '@svc/ui/console/parts/field.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { currentTime } from '@svc/ui/console/time/clock.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { attemptsQuery, messageQuery } from '../api/messages.ts';
import { hmacSha256, toBase64, utf8 } from './diagnosis/bytes.ts';
import { diagnose, type Evidence } from './diagnosis/diagnose.ts';
import { readHeaders } from './diagnosis/read-input.ts';
import type { Finding } from './diagnosis/signing-recipe.ts';
import { FindingsView } from './findings.tsx';
import { LookUps } from './look-ups.tsx';
import './debugger.css';

/** Explains why a receiver rejects a webhook. Everything runs in the browser; nothing pasted is sent. */
export function DebuggerPage() {
  const [pasted, setPasted] = useState<Pasted>(emptyPaste);
  const findings = useDiagnosis(pasted);
  useAttempt((found) => setPasted({ ...emptyPaste, ...found }));
  const change = (part: Partial<Pasted>) => setPasted((before) => ({ ...before, ...part }));
  const empty = pasted === emptyPaste;
  return (
    <div className="page">
      <PageHeader title="Signature debugger">
        <p className="page-header__lead">
          Paste a request that your server rejected. Everything is checked in this browser; nothing
          you paste leaves it.
        </p>
      </PageHeader>
      {globalThis.isSecureContext ? (
        <div className="try">
          <form className="try__form" onSubmit={(event) => event.preventDefault()}>
            <EvidenceFields pasted={pasted} change={change} />
            <LookUps messageId={readHeaders(pasted.headers).id} onFound={change} />
            <div className="try__actions">
              <button
                type="button"
                className={empty ? 'svc-button' : 'svc-button svc-button--secondary'}
                onClick={() =>
                  empty
                    ? void signExample(currentTime()).then((example) =>
                        setPasted({ ...emptyPaste, ...example }),
                      )
                    : setPasted(emptyPaste)
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
          <p className="svc-notice__title">Open the console over https</p>
          <p>Browsers can compute signatures only on https and on localhost.</p>
        </div>
      )}
    </div>
  );
}

const emptyPaste: Pasted = {
  headers: '',
  body: '',
  secret: '',
  computed: '',
  arrived: '',
  sent: null,
  others: [],
};

function EvidenceFields(props: { pasted: Pasted; change: (part: Partial<Pasted>) => void }) {
  const { pasted, change } = props;
  return (
    <>
      <Paste
        label="Headers"
        hint="Header lines, curl -H options, or JSON. Must include webhook-id, webhook-timestamp, and webhook-signature."
        rows={4}
        value={pasted.headers}
        onChange={(headers) => change({ headers, sent: null })}
      />
      <Paste
        label="Body"
        hint="The raw body, before anything parses it."
        rows={8}
        value={pasted.body}
        onChange={(body) => change({ body })}
      />
      <Paste
        label="Signing secret"
        hint="The secret that your server uses to verify."
        value={pasted.secret}
        onChange={(secret) => change({ secret })}
      />
      <details className="debugger__more">
        <summary>What your server saw (optional)</summary>
        <div className="try__form">
          <Paste
            label="Signature your code computed"
            hint="Base64 or hex. Shows what your code does differently."
            value={pasted.computed}
            onChange={(computed) => change({ computed })}
          />
          <Paste
            label="Server time when it arrived"
            hint="From your server’s log: 2026-02-01T12:00:00Z, or Unix seconds."
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
  /** Height in lines. Without it, the field is a single-line input. */
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

const route = getRouteApi('/debugger');

/** Loads the attempt named in the URL and passes on its request as it was sent. */
function useAttempt(onFound: (found: Pick<Pasted, 'headers' | 'body'>) => void): void {
  const { message_id = '', attempt_id } = route.useSearch();
  const enabled = message_id !== '';
  const message = useQuery({ ...messageQuery(message_id), enabled });
  const attempts = useQuery({ ...attemptsQuery(message_id), enabled });
  const attempt = attempts.data?.find(({ id }) => id === attempt_id);
  const found = useEffectEvent(onFound);
  const body = message.data?.body ?? undefined;
  const headers = attempt && JSON.stringify(attempt.request_headers, null, 2);
  useEffect(() => {
    if (headers !== undefined && body !== undefined) found({ headers, body });
  }, [headers, body]);
}

type Pasted = Omit<Evidence, 'now' | 'arrivedAt'> & { arrived: string };

/** Diagnoses the pasted request whenever it changes. Null while it is empty. */
function useDiagnosis(pasted: Pasted): Finding[] | null {
  const [findings, setFindings] = useState<Finding[] | null>(null);
  useEffect(() => {
    if (pasted.headers.trim() === '') return setFindings(null);
    let current = true;
    const { arrived, ...rest } = pasted;
    const arrivedAt = readInstant(arrived);
    void diagnose({ ...rest, arrivedAt, now: currentTime() }).then((found) => {
      if (current) setFindings(found);
    });
    return () => {
      current = false;
    };
  }, [pasted]);
  return findings;
}

/** Parses Unix seconds or milliseconds, or any date the browser understands. */
function readInstant(text: string): number | null {
  const plain = text.trim();
  if (plain === '') return null;
  const number = Number(plain);
  if (Number.isFinite(number)) return number < 100_000_000_000 ? number * 1000 : number;
  const at = Date.parse(plain);
  return Number.isNaN(at) ? null : at;
}

/** An example request, signed now, whose body was re-serialized by a framework. */
async function signExample(now: number) {
  const timestamp = Math.floor(now / 1000);
  const sent = '{"id":"evt_example","type":"plan.created","data":{"object_version":1}}';
  const signature = toBase64(await hmacSha256(key, `evt_example.${timestamp}.${sent}`));
  return {
    headers: [
      'webhook-id: evt_example',
      `webhook-timestamp: ${timestamp}`,
      `webhook-signature: v1,${signature}`,
    ].join('\n'),
    body: JSON.stringify(JSON.parse(sent), null, 2),
    secret: `whsec_${toBase64(key)}`,
  };
}

const key = utf8('an example, not a real secret');
