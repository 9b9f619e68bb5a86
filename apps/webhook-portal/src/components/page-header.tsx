import type { ReactNode } from 'react';

/** Title, one line under it, and the page's actions. Sets the document's title. */
export function PageHeader(props: {
  title: string;
  /** Shown instead of the title where text alone will not do. */
  heading?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="page-header">
      <title>{`${props.title} · Webhooks`}</title>
      <div className="page-header__words">
        <h1 className="page-header__title">{props.heading ?? props.title}</h1>
        {props.children}
      </div>
      {props.actions ? <div className="page-header__actions">{props.actions}</div> : null}
    </header>
  );
}
