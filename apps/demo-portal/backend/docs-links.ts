/** Returns functions that build links into the service's docs. All docs URLs of the demo are built here. */
export function docsLinks(serviceOrigin: string) {
  return {
    event: (type: string) => `${serviceOrigin}/docs/events#${encodeURIComponent(type)}`,
    webhooks: () => `${serviceOrigin}/docs/webhooks`,
    sdkEvent: (type: string) => `${serviceOrigin}/docs/widget#${encodeURIComponent(type)}`,
    /** Links to a section of the API docs: `/simulation/{external_id}/reset` is in `#simulation`. */
    api: (path: string) => `${serviceOrigin}/docs/api#${sectionOf(path)}`,
  };
}

export type DocsLinks = ReturnType<typeof docsLinks>;

function sectionOf(path: string): string {
  const [first = '', second = ''] = path.split('/').filter(Boolean);
  return first === 'tenant' || first === 'partner' ? second : first;
}
