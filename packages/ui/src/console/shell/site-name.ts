import { createContext, use } from 'react';

/** The console's name, which is in its logo and in the title of each page. */
export const SiteName = createContext('Console');

/** Returns the document's title for a page. */
export function usePageTitle(page: string): string {
  return `${page} · ${use(SiteName)}`;
}
