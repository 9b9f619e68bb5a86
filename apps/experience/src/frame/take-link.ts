/**
 * The secret of a mail's link, `#link=…`. Taken out of the address at once, so that it is in no
 * history, bookmark or copied link; a GET of the page never carried it.
 */
export function takeLink({ location, history }: Window): string | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('link');
  if (link !== null) history.replaceState(null, '', location.pathname);
  return link;
}
