import { useState } from 'react';
import type { Activity } from '../../../backend/answers.ts';
import type { Phrase } from '../../words/es.ts';
import { useWords } from '../../words/use-words.ts';
import { describeActivity, titleOf } from './describe-activity.ts';

const kindLabels = { call: 'API call', sdk: 'SDK event', webhook: 'Webhook' } as const;

export function ActivityItem({ activity }: { activity: Activity }) {
  const words = useWords();
  const { translate } = words;
  const title = titleOf(activity, words);
  return (
    <li
      className="happened"
      data-kind={activity.kind}
      data-refused={activity.kind === 'webhook' && !activity.verified ? '' : undefined}
    >
      <p className="happened__head">
        <span className="happened__kind">{translate(kindLabels[activity.kind])}</span>
        <Outcome activity={activity} />
        <time className="happened__time" dateTime={activity.at}>
          {new Date(activity.at).toLocaleTimeString('en-GB')}
        </time>
      </p>
      <p className="happened__title">
        <code>
          {title.split(/(?<=\/)/).map((part, index) => (
            <span key={index}>{part}</span>
          ))}
        </code>
      </p>
      <p className="happened__words">{describeActivity(activity, words)}</p>
      <div className="happened__more">
        <a
          className="svc-link"
          href={activity.doc_url}
          target="_blank"
          rel="noreferrer"
          aria-label={`${translate('Docs')}: ${title}`}
        >
          {translate('Docs')}
        </a>
        <Details activity={activity} />
      </div>
    </li>
  );
}

/** The outcome: status and duration of a call, or whether a webhook was verified. */
function Outcome({ activity }: { activity: Activity }) {
  const { translate } = useWords();
  if (activity.kind === 'sdk') return null;
  if (activity.kind === 'webhook') {
    return activity.verified ? (
      <span className="svc-badge svc-tone-good">{translate('Verified')}</span>
    ) : (
      <span className="svc-badge svc-tone-bad">
        {translate('Not verified')}: {activity.reason}
      </span>
    );
  }
  const { status, duration_ms } = activity;
  const failed = status === null || status >= 400;
  return (
    <span className={failed ? 'happened__status happened__status--bad' : 'happened__status'}>
      {status ?? translate('no response')} · {duration_ms} ms
    </span>
  );
}

function Details({ activity }: { activity: Activity }) {
  const { translate } = useWords();
  const [open, setOpen] = useState(false);
  const parts = bodiesOf(activity).filter(([, text]) => text !== null && text !== '');
  if (parts.length === 0) return null;
  return (
    <details className="bodies" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{translate(activity.kind === 'call' ? 'Request and response' : 'Data')}</summary>
      {open
        ? parts.map(([label, text]) => (
            <div key={label}>
              <p className="bodies__label">{translate(label)}</p>
              <pre className="svc-code svc-code--wrap">{pretty(text ?? '')}</pre>
            </div>
          ))
        : null}
    </details>
  );
}

function bodiesOf(activity: Activity): [Phrase, string | null][] {
  if (activity.kind === 'call') {
    return [
      ['Request', activity.request],
      ['Response', activity.response],
    ];
  }
  if (activity.kind === 'sdk') return [['Data', activity.data === '{}' ? null : activity.data]];
  return [['Body', activity.body]];
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
