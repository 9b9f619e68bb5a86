/** Where the service explains what is seen here; all of its docs' addresses stand in this file. */
export function docsLinks(serviceOrigin: string) {
  return {
    event: (type: string) => `${serviceOrigin}/docs/events#${encodeURIComponent(type)}`,
    webhooks: () => `${serviceOrigin}/docs/webhooks`,
    sdkEvent: (type: string) => `${serviceOrigin}/docs/sdk#${encodeURIComponent(type)}`,
    /** By the operation: "POST /simulation/{external_id}/reset" is `#simulation`. */
    api: (path: string) => `${serviceOrigin}/docs/api#${sectionOf(path)}`,
  };
}

export type DocsLinks = ReturnType<typeof docsLinks>;

function sectionOf(path: string): string {
  const [first = '', second = ''] = path.split('/').filter(Boolean);
  return first === 'tenant' || first === 'partner' ? second : first;
}
