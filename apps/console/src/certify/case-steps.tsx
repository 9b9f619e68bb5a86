import { JsonView } from '@svc/ui/console/json/json-view.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { UrlText } from '@svc/ui/console/parts/text.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useState } from 'react';
import type { CertificationStep } from '../api/certifications.ts';
import { HeaderList } from '../deliveries/attempt-detail.tsx';
import { describeMs } from '../deliveries/describe-attempt.ts';

/** The steps of a case, in order. Each unfolds to its request and response. */
export function CaseSteps({ name, steps }: { name: string; steps: readonly CertificationStep[] }) {
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        // Steps are never moved, and the result of another run of the case is rendered as a whole.
        <Step key={`${index} ${step.title}`} step={step} place={`step ${index + 1} of ${name}`} />
      ))}
    </ol>
  );
}

function Step({ step, place }: { step: CertificationStep; place: string }) {
  const [isOpen, setOpen] = useState(false);
  const { title, detail, request, response, duration_in_ms } = step;
  const head = (
    <>
      <span className="step__title">{visibleText(title)}</span>
      <span className="step__result">
        {request === null ? null : <Answer response={response} />}
        {duration_in_ms === null ? null : <span>{describeMs(duration_in_ms)}</span>}
      </span>
    </>
  );
  if (request === null && detail === null) return <li className="step step__head">{head}</li>;
  return (
    <li className="step">
      <details onToggle={({ currentTarget: { open } }) => setOpen(open)}>
        <summary className="step__head">{head}</summary>
        {isOpen ? (
          <div className="step__body">
            {detail === null ? null : <p>{visibleText(detail)}</p>}
            {request === null ? null : (
              <section className="story__part">
                <h3>Request</h3>
                <p className="story__line">
                  <strong>{visibleText(request.method)}</strong> <UrlText url={request.url} />
                </p>
                <HeaderList title="Request headers" headers={request.headers} />
                <Body text={request.body} of="Request body" place={place} />
              </section>
            )}
            {response === null ? null : (
              <section className="story__part">
                <h3>Response</h3>
                <p className="story__line">
                  <strong>{`HTTP ${response.status}`}</strong>
                </p>
                <HeaderList title="Response headers" headers={response.headers} />
                <Body text={response.body} of="Response body" place={place} />
              </section>
            )}
          </div>
        ) : null}
      </details>
    </li>
  );
}

function Answer({ response }: Pick<CertificationStep, 'response'>) {
  if (response === null) return <StateMark tone="bad">No response</StateMark>;
  // Whether a status is right depends on the case: a forged webhook has to be refused.
  return <StateMark tone="neutral">{String(response.status)}</StateMark>;
}

/** A body of this many characters was probably cut off: a step keeps 16 KiB, and some characters have several bytes. */
const nearlyCut = 16_000;

function Body(props: { text: string | null; of: string; place: string }) {
  const { text, of, place } = props;
  if (text === null) return null;
  if (text === '') return <p className="story__quiet">The body was empty.</p>;
  const note = text.length < nearlyCut ? {} : { note: 'the first 16 KiB' };
  return <JsonView label={`${of}, ${place}`} text={text} {...note} />;
}
