import type { TestPresetInput, TestPresetOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type { TestPresetOutput as TestPreset };

/** Saved test bodies, most recently saved first. At most 50. */
export const testPresetsQuery = queryOptions({
  queryKey: ['test-presets'],
  queryFn: async ({ signal }) => (await call('GET', '/portal/test_presets', { signal })).items,
});

/** Saves a test body. Replaces an existing one with the same name. */
export function saveTestPreset(preset: TestPresetInput): Promise<TestPresetOutput> {
  return call('POST', '/portal/test_presets', { body: preset });
}

export function removeTestPreset(id: string): Promise<null> {
  return call('DELETE', '/portal/test_presets/{id}', { params: { id } });
}
