/**
 * The secret of an email link, from the fragment `#link=…`. Removes it from the address at once, so
 * that it is in no history, bookmark or copied link. Fragments are never sent to a server.
 */
export function takeLinkSecret({ location, history }: Window): string | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('link');
  if (link !== null) history.replaceState(null, '', location.pathname);
  return link;
}
