import { CodeFile } from '@svc/ui/console/parts/code-file.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { Described } from '@svc/ui/console/parts/text.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { type ReactNode, useState } from 'react';
import type { Certification, CertificationCase } from '../api/certifications.ts';
import { describeMs } from '../deliveries/describe-attempt.ts';
import { CaseSteps } from './case-steps.tsx';
import { areas, hasPageLeft, pageCommand, statusMarks } from './describe-certification.ts';

interface CaseListProps {
  readonly run: Certification;
  /** The case that is running. */
  readonly current: string | null;
  /** Runs one case again. Null while that is not possible. */
  readonly onRun: ((name: string) => void) | null;
}

/** The failures first, unfolded; then the other cases by area, in the order in which they run. */
export function CaseList(props: CaseListProps) {
  const { run } = props;
  const failed = run.cases.filter(({ status }) => status === 'fail');
  const toFix = [...failed, ...run.cases.filter(({ status }) => status === 'warn')];
  const known = areas.map(({ area }) => area);
  const others = new Set(run.cases.map(({ area }) => area).filter((area) => !known.includes(area)));
  const groups = [...areas, ...[...others].map((area) => ({ area, title: area }))];
  return (
    <div className="certify__cases">
      <Group {...props} title="To fix" cases={toFix} />
      {groups.map(({ area, title }) => (
        <Group
          key={area}
          {...props}
          title={title}
          cases={run.cases.filter((it) => it.area === area && !toFix.includes(it))}
        >
          {area === 'page' ? <PageCases run={run} /> : null}
        </Group>
      ))}
    </div>
  );
}

interface GroupProps extends CaseListProps {
  readonly title: string;
  readonly cases: readonly CertificationCase[];
  readonly children?: ReactNode;
}

function Group({ title, cases, children, ...props }: GroupProps) {
  if (cases.length === 0) return null;
  return (
    <section className="cases" aria-label={title}>
      <h2 className="section-title">
        {title} <span className="cases__count">{cases.length}</span>
      </h2>
      {children}
      <ul className="cases__list">
        {cases.map((it) => (
          <Case key={it.name} item={it} {...props} />
        ))}
      </ul>
    </section>
  );
}

/** The cases of the partner's page. They need a browser on the partner's machine, so the CLI runs them. */
function PageCases({ run }: { run: Certification }) {
  const isLeft = run.state === 'running' && hasPageLeft(run);
  return (
    <>
      <p className="cases__about">
        These cases need a browser on your machine, so <code>svc certify</code> runs them, and the
        service stores its results.
        {isLeft
          ? ' Run the command with the address of your page with the widget. It also finishes the run.'
          : ''}
      </p>
      {isLeft ? (
        <CodeFile
          file="Run these with the CLI"
          note="with your sandbox key"
          code={pageCommand(run)}
        />
      ) : null}
    </>
  );
}

interface CaseProps extends CaseListProps {
  readonly item: CertificationCase;
}

function Case({ item, run, current, onRun }: CaseProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const { status, area } = item;
  const isRunning = item.name === current;
  if (status === 'pending' || isRunning) {
    const isPage = area === 'page' && run.state === 'running';
    return (
      <li className="case">
        <div className="case__head">
          <Title item={item} />
          <StateMark tone={isRunning ? 'info' : 'neutral'}>
            {isRunning ? 'Running' : isPage ? 'Run by the CLI' : statusMarks.pending.word}
          </StateMark>
        </div>
      </li>
    );
  }
  const isOpen = chosen ?? status === 'fail';
  const { tone, word } = statusMarks[status];
  return (
    <li className="case">
      <details
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => {
          if (open !== isOpen) setChosen(open);
        }}
      >
        <summary className="case__head">
          <Title item={item} />
          <StateMark tone={tone}>{word}</StateMark>
        </summary>
        {isOpen ? <Result item={item} onRun={onRun} /> : null}
      </details>
    </li>
  );
}

function Title({ item: { title, name } }: { item: CertificationCase }) {
  return (
    <span className="case__title">
      {visibleText(title)} <code className="case__name">{visibleText(name)}</code>
    </span>
  );
}

function Result({ item, onRun }: Pick<CaseProps, 'item' | 'onRun'>) {
  const { summary, cause, fix, docs_url, duration_in_ms, steps, area, name } = item;
  return (
    <div className="case__body">
      {summary === null ? null : (
        <p className="case__advice">
          <Described text={visibleText(summary)} />
        </p>
      )}
      {cause ? (
        <p className="case__advice">
          <b>Likely cause:</b> <Described text={visibleText(cause)} />
        </p>
      ) : null}
      {fix ? (
        <p className="case__advice">
          <b>To do:</b> <Described text={visibleText(fix)} />
        </p>
      ) : null}
      <p className="case__more">
        {docs_url === null ? null : (
          <a className="svc-link" href={docs_url} target="_blank" rel="noreferrer">
            Docs
          </a>
        )}
        {onRun !== null && area !== 'page' ? (
          <button
            type="button"
            className="svc-button svc-button--secondary svc-button--small"
            onClick={() => onRun(name)}
          >
            Run again<span className="svc-visually-hidden">: {visibleText(item.title)}</span>
          </button>
        ) : null}
        {duration_in_ms === null ? null : (
          <span className="case__took">in {describeMs(duration_in_ms)}</span>
        )}
        {item.reported_by === 'cli' ? <span className="tag">Reported by the CLI</span> : null}
      </p>
      {steps.length > 0 ? <CaseSteps name={name} steps={steps} /> : null}
    </div>
  );
}
