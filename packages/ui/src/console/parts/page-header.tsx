import type { ReactNode } from 'react';
import { usePageTitle } from '../shell/site-name.ts';

/** The page's title, an optional line below it, and its actions. Also sets the document title. */
export function PageHeader(props: {
  title: string;
  /** Rendered instead of the plain title, for example to add line breaks to a URL. */
  heading?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="page-header">
      <title>{usePageTitle(props.title)}</title>
      <div className="page-header__words">
        <h1 className="page-header__title">{props.heading ?? props.title}</h1>
        {props.children}
      </div>
      {props.actions ? <div className="page-header__actions">{props.actions}</div> : null}
    </header>
  );
}
