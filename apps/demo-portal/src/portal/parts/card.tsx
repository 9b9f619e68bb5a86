import { Fragment, type ReactNode } from 'react';

interface CardProps {
  /** Of the heading, which names the section. */
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

/** Names and values, one pair on a line. */
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
