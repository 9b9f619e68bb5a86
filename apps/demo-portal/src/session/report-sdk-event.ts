import { api } from '../api.ts';

let last: Promise<unknown> = Promise.resolve();

/** Tells the portal's backend of an event, one after the other, so that the list keeps their order. */
export function reportSdkEvent(tenantId: string, type: string, data: unknown): void {
  last = last
    .then(() => api.sdkEvent(tenantId, type, data))
    .catch((error: Error) => console.warn(`${type} was not reported: ${error.message}`));
}
