import { api } from '../api.ts';

let lastReport: Promise<unknown> = Promise.resolve();

/** Reports an SDK event to the portal's backend, one at a time so that the list keeps their order. */
export function reportSdkEvent(tenantId: string, type: string, data: unknown): void {
  lastReport = lastReport
    .then(() => api.sdkEvent(tenantId, type, data))
    .catch((error: Error) => console.warn(`${type} was not reported: ${error.message}`));
}
