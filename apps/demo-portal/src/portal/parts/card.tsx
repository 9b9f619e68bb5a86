import { Fragment, type ReactNode } from 'react';

interface CardProps {
  /** The heading's id. The heading is the section's accessible name. */
  id: string;
  title: ReactNode;
  children: ReactNode;
}

/** A section of the page with its heading. */
export function Card({ id, title, children }: CardProps) {
  return (
    <section className="svc-card svc-card--flush" aria-labelledby={id}>
      <h2 className="card__title" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A list of names and values, one pair per line. */
export function Facts({ lines }: { lines: readonly (readonly [term: string, value: string])[] }) {
  return (
    <dl className="facts">
      {lines.map(([term, value]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
