import { createContext, use } from 'react';

/** The name of the console, which stands in its logo and in the title of each page. */
export const SiteName = createContext('Console');

/** The document's title for a page. */
export function usePageTitle(page: string): string {
  return `${page} · ${use(SiteName)}`;
}
