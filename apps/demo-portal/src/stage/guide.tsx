import type { TenantSummary } from '../../backend/answers.ts';
import { chapters } from '../../backend/scenarios.ts';
import type { Phrase } from '../words/es.ts';
import { useWords } from '../words/use-words.ts';
import { Looks } from './looks.tsx';
import { personOf, scenarioOf, tenantIn } from './moments.ts';
import { Panel, type PanelProps } from './panel.tsx';

interface GuideProps extends PanelProps {
  tenantId: string;
  tenants: readonly TenantSummary[];
  isBusy: boolean;
  build: 'react' | 'plain';
  onBuild(build: 'react' | 'plain'): void;
  onChoose(tenantId: string): void;
  onWeekLater(): void;
}

const titles = {
  before: 'Before a plan',
  plan: 'The plan',
  trouble: 'When things go wrong',
} as const satisfies Record<keyof typeof chapters, Phrase>;

/** Shows the signed-in resident and the current scenario. */
export function Guide(props: GuideProps) {
  const { tenantId, tenants, isBusy, build, onBuild, onChoose, onWeekLater, ...panel } = props;
  const { translate, translateData } = useWords();
  const personId = personOf(tenantId);
  const { scenario: current } = scenarioOf(tenantId);
  const moment = (id: string) => {
    const { scenario, name, shows } = scenarioOf(id);
    const isCurrent = scenario === current;
    return (
      <li key={id}>
        <button
          type="button"
          className="moment"
          ref={isCurrent ? scrollIntoView : null}
          aria-current={isCurrent ? 'step' : undefined}
          onClick={() => onChoose(id)}
        >
          <span className="moment__name">{translate(name)}</span>
          {isCurrent ? <span className="moment__shows">{translate(shows)}</span> : null}
        </button>
      </li>
    );
  };
  return (
    <Panel {...panel} id="guide" title={translate('Guide')}>
      <div className="guide">
        {panel.as === 'sheet' ? <Looks /> : null}
        <label className="guide__person">
          {translate('Signed in as')}
          <select
            value={personId}
            onChange={({ target }) => onChoose(tenantIn(target.value, current))}
          >
            {tenants.map(({ id, name, shows }) => (
              <option key={id} value={id}>
                {`${name} · ${translateData(shows)}`}
              </option>
            ))}
          </select>
        </label>
        <ul className="moments">{moment(personId)}</ul>
        {Object.entries(chapters).map(([chapter, scenarios]) => (
          <section key={chapter} aria-labelledby={`chapter-${chapter}`}>
            <h3 id={`chapter-${chapter}`}>{translate(titles[chapter as keyof typeof titles])}</h3>
            <ul className="moments">
              {scenarios.map((scenario) => moment(tenantIn(personId, scenario)))}
            </ul>
          </section>
        ))}
      </div>
      <div className="guide__foot">
        <button type="button" className="guide__button" disabled={isBusy} onClick={onWeekLater}>
          {translate('A week later')}
        </button>
        <button
          type="button"
          className="guide__button"
          disabled={isBusy}
          onClick={() => onChoose(tenantId)}
        >
          {translate('Start over')}
        </button>
        <button
          type="button"
          className="guide__link"
          onClick={() => onBuild(build === 'react' ? 'plain' : 'react')}
        >
          {build === 'react' ? 'Plain JavaScript' : 'React'}
        </button>
        <a className="guide__link" href="/manage-webhooks" target="_blank" rel="noreferrer">
          {translate('Manage webhooks')}
        </a>
        <a
          className="guide__link"
          href={`/office?tenant=${tenantId}`}
          target="_blank"
          rel="noopener"
        >
          {translate('Back office')}
        </a>
      </div>
    </Panel>
  );
}

/** Scrolls to the current scenario, because the list is longer than a small screen. */
function scrollIntoView(moment: HTMLElement | null): void {
  moment?.scrollIntoView({ block: 'nearest' });
}
