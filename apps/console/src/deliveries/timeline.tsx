import { useNow } from '@svc/ui/console/time/clock.ts';
import { describeSpan, exactTime } from '@svc/ui/console/time/format-time.ts';
import type { Attempt, Delivery } from '../api/messages.ts';
import { buildTimeline, retryWaitsInSeconds, type Step } from './build-timeline.ts';
import { nameResult } from './describe-attempt.ts';
import './timeline.css';

/** A delivery's eight scheduled attempts on a nonlinear time line: past, now, and planned. */
export function TimelineView(props: {
  delivery: Delivery;
  attempts: readonly Attempt[];
  publishedAt: string;
  selected: string | null;
  onSelect: (attemptId: string) => void;
}) {
  const { delivery, attempts, selected, onSelect } = props;
  const now = useNow(1000);
  const timeline = buildTimeline(delivery, attempts, Date.parse(props.publishedAt));
  const moving = timeline.steps.some(({ state }) => state === 'next' || state === 'running');
  const past = timeline.place(moving ? now : Math.max(0, ...attempts.map(startOf)));
  return (
    <div className="timeline">
      <div className="timeline__line" aria-hidden="true">
        <div className="timeline__past" style={{ transform: `scaleX(${past})` }} />
      </div>
      {moving ? (
        <div
          className="timeline__now"
          style={{ insetInlineStart: percent(past) }}
          aria-hidden="true"
        >
          <span>now</span>
        </div>
      ) : null}
      <ol className="timeline__steps" aria-label="The eight attempts">
        {timeline.steps.map((step) => (
          <li key={step.number} style={{ insetInlineStart: percent(timeline.place(step.at)) }}>
            <Dot step={step} selected={step.attempt?.id === selected} onSelect={onSelect} />
            <span className="timeline__wait" aria-hidden="true">
              {waitWords(step.number)}
            </span>
          </li>
        ))}
      </ol>
      {timeline.extra.length > 0 ? (
        <ol className="timeline__steps" aria-label="Attempts outside the schedule">
          {timeline.extra.map((attempt) => (
            <li
              key={attempt.id}
              style={{ insetInlineStart: percent(timeline.place(startOf(attempt))) }}
            >
              <ExtraDot attempt={attempt} selected={attempt.id === selected} onSelect={onSelect} />
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  );
}

function Dot({
  step,
  selected,
  onSelect,
}: {
  step: Step;
  selected: boolean;
  onSelect: (id: string) => void;
}) {
  const words = `Attempt ${step.number} of 8: ${describeStep(step)}`;
  const { attempt } = step;
  if (!attempt) {
    return (
      <span className="timeline__dot" data-state={step.state} title={words}>
        <span className="svc-visually-hidden">{words}</span>
      </span>
    );
  }
  return (
    <button
      type="button"
      className="timeline__dot"
      data-state={step.state}
      aria-pressed={selected}
      aria-label={words}
      title={words}
      onClick={() => onSelect(attempt.id)}
    />
  );
}

function ExtraDot(props: { attempt: Attempt; selected: boolean; onSelect: (id: string) => void }) {
  const { attempt, selected, onSelect } = props;
  const words = `Sent manually: ${nameResult(attempt)}, ${exactTime(attempt.started_at)}`;
  return (
    <button
      type="button"
      className="timeline__dot timeline__dot--extra"
      data-state={attempt.succeeded ? 'succeeded' : 'failed'}
      aria-pressed={selected}
      aria-label={words}
      title={words}
      onClick={() => onSelect(attempt.id)}
    />
  );
}

function describeStep({ state, at, attempt }: Step): string {
  switch (state) {
    case 'succeeded':
    case 'failed':
      return `${state}, ${attempt ? nameResult(attempt) : ''}, ${exactTime(at)}`;
    case 'running':
      return 'being sent now';
    case 'next':
      return `next, ${exactTime(at)}`;
    case 'planned':
      return `if needed, about ${exactTime(at)}`;
    case 'unused':
      return 'not needed';
  }
}

function waitWords(number: number): string {
  return number === 1
    ? 'at once'
    : `+${describeSpan((retryWaitsInSeconds[number - 1] ?? 0) * 1000)}`;
}

function startOf(attempt: Attempt): number {
  return Date.parse(attempt.started_at);
}

function percent(place: number): string {
  return `${(place * 100).toFixed(2)}%`;
}
