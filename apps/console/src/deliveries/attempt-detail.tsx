import { JsonView } from '@svc/ui/console/json/json-view.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { UrlText } from '@svc/ui/console/parts/text.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { Link } from '@tanstack/react-router';
import type { Attempt } from '../api/messages.ts';
import { OutsideOfFrames } from '../session/outside-of-frames.tsx';
import {
  describeMs,
  explainAttempt,
  nameResult,
  splitTiming,
  type Timed,
} from './describe-attempt.ts';
import './attempt-detail.css';

/** One attempt: request, timing, response, what it means, and what to do. */
export function AttemptDetail(props: {
  attempt: Attempt;
  /** True if the attempt is shown without its message and therefore links to it. */
  alone?: boolean;
  /** True if the request and response bodies were erased. */
  expunged?: boolean;
}) {
  const { attempt, alone = false, expunged = false } = props;
  return (
    <article className="story" aria-label={`Attempt ${attempt.number}`}>
      <header className="story__head">
        <StateMark tone={attempt.succeeded ? 'good' : 'bad'}>
          {`${attempt.succeeded ? 'Delivered' : 'Failed'} · ${nameResult(attempt)}`}
        </StateMark>
        <span>{describeMs(attempt.timing_in_ms.total)}</span>
        <span>{triggers[attempt.trigger]}</span>
        <time dateTime={attempt.started_at}>{exactTime(attempt.started_at)}</time>
      </header>
      <section className="story__part">
        <h3>Request</h3>
        <p className="story__line">
          <strong>POST</strong> <UrlText url={attempt.url} />
        </p>
        <HeaderList title="Request headers" headers={attempt.request_headers} />
        {alone ? (
          <Link
            className="svc-link"
            to="/messages/$messageId"
            params={{ messageId: attempt.message_id }}
          >
            View the request body
          </Link>
        ) : (
          <p className="story__quiet">
            {expunged ? 'The body was erased.' : 'The body is the payload above, byte for byte.'}
          </p>
        )}
      </section>
      <section className="story__part">
        <h3>Timing</h3>
        <TimingBar attempt={attempt} />
      </section>
      <Response attempt={attempt} expunged={expunged} />
      <Meaning attempt={attempt} mayCheck={!expunged} />
      {attempt.hint === null ? null : (
        <section className="story__part">
          <h3>What to do</h3>
          <p>{visibleText(attempt.hint)}</p>
          <Link
            className="svc-link"
            to="/endpoints/$endpointId"
            params={{ endpointId: attempt.endpoint_id }}
          >
            Go to the endpoint
          </Link>
        </section>
      )}
    </article>
  );
}

function Response({ attempt, expunged }: { attempt: Attempt; expunged: boolean }) {
  const { status, response_body: body, response_truncated: cut } = attempt;
  return (
    <section className="story__part">
      <h3>Response</h3>
      <p className="story__line">
        {status === null ? (
          'None. The server sent no status line.'
        ) : (
          <strong>{`HTTP ${status}`}</strong>
        )}
      </p>
      <HeaderList title="Response headers" headers={attempt.response_headers} />
      {body ? (
        <JsonView
          label="Response body"
          text={body}
          {...(cut ? { note: 'truncated at 16 KiB' } : {})}
        />
      ) : status === null ? null : (
        <p className="story__quiet">{expunged ? 'The body was erased.' : 'The body was empty.'}</p>
      )}
    </section>
  );
}

function Meaning({ attempt, mayCheck }: { attempt: Attempt; mayCheck: boolean }) {
  return (
    <section className="story__part">
      <h3>What it means</h3>
      <p>{explainAttempt(attempt)}</p>
      {attempt.error === null ? null : (
        <p className="story__quiet">
          <code>{visibleText(attempt.error.trim())}</code>
        </p>
      )}
      {refusals.includes(attempt.status ?? 0) && mayCheck ? (
        <OutsideOfFrames>
          <Link
            className="svc-link"
            to="/debugger"
            search={{ message_id: attempt.message_id, attempt_id: attempt.id }}
          >
            Check its signature in the debugger
          </Link>
        </OutsideOfFrames>
      ) : null}
    </section>
  );
}

/** Statuses that receivers typically return when the signature does not match. */
const refusals = [400, 401, 403];

const triggers: Record<Attempt['trigger'], string> = {
  schedule: 'scheduled',
  manual: 'sent manually',
  recover: 'from a replay',
  test: 'test send',
};

/** A collapsed list of headers. */
export function HeaderList({ title, headers }: { title: string; headers: Record<string, string> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <details className="headers">
      <summary>
        {title} <span className="headers__count">{entries.length}</span>
      </summary>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{visibleText(name)}</dt>
            <dd>{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The duration of each step of an attempt, as a bar to scale and in numbers. */
function TimingBar({ attempt }: { attempt: Timed }) {
  const parts = splitTiming(attempt);
  const { connect, first_byte } = attempt.timing_in_ms;
  if (parts.length === 0)
    return <p className="story__quiet">Less than a tenth of a millisecond.</p>;
  return (
    <div className="timing">
      <div className="timing__bar" aria-hidden="true">
        {parts.map(({ className, ms }) => (
          <span
            key={className}
            className={`timing__part timing__part--${className}`}
            style={{ flexGrow: ms }}
          />
        ))}
      </div>
      <ul className="timing__legend">
        {parts.map(({ name, className, ms }) => (
          <li key={className}>
            <span className={`timing__key timing__part--${className}`} aria-hidden="true" />
            {name} <strong>{describeMs(ms)}</strong>
          </li>
        ))}
      </ul>
      {connect === null && first_byte !== null ? (
        <p className="story__quiet">Reused an open connection.</p>
      ) : null}
    </div>
  );
}
