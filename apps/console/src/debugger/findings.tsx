import { Empty } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { Finding } from './diagnosis/signing-recipe.ts';

export function FindingsView({ findings }: { findings: Finding[] | null }) {
  return (
    <section className="try__result" aria-label="Findings" aria-live="polite">
      <h2 className="svc-visually-hidden">Findings</h2>
      {findings === null ? (
        <Empty icon="debugger" title="Findings appear here">
          <p>
            Each part is checked as you paste: a re-serialized body, a wrong secret, a secret that
            was not decoded, a clock that is off.
          </p>
        </Empty>
      ) : (
        <>
          <Headline findings={findings} />
          <ol className="findings">
            {findings.map(({ part, verdict, words }) => (
              <li key={`${part} ${words}`} className="findings__row">
                <span className="findings__part">
                  {part}
                  <StateMark tone={verdictTones[verdict]}>{verdictWords[verdict]}</StateMark>
                </span>
                <p>{visibleText(words)}</p>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Headline({ findings }: { findings: Finding[] }) {
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong');
  const fits = findings.some(({ part, verdict }) => part === 'Signature' && verdict === 'right');
  if (wrong.length === 0) {
    return (
      <div className={`svc-notice svc-tone-${fits ? 'good' : 'info'}`}>
        <p className="svc-notice__title">
          {fits ? 'This request is genuine and unchanged' : 'Not enough information yet'}
        </p>
      </div>
    );
  }
  const parts = [...new Set(wrong.map(({ part }) => part.toLowerCase()))];
  return (
    <div className="svc-notice svc-tone-bad">
      <p className="svc-notice__title">
        Check the {parts.join(' and the ').replace('the your', 'your')}
      </p>
    </div>
  );
}

const verdictTones = { right: 'good', wrong: 'bad', unknown: 'warn' } as const;
const verdictWords = { right: 'Right', wrong: 'Wrong', unknown: 'Can’t tell' };
