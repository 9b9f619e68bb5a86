import {
  eventCatalog,
  eventTypes,
  type FilterPreviewInput,
  type FilterPreviewOutput,
} from '@svc/contract';

/** Returns the probable mistakes in a filter, as sentences. Empty if there are none. */
export function describePreview(
  { filter, event_types }: FilterPreviewInput,
  { checked, matched }: Pick<FilterPreviewOutput, 'checked' | 'matched'>,
): string[] {
  const types = eventTypes.filter((type) => isSelected(type, event_types));
  const absent = filter
    .filter(({ field, exists }) => field.startsWith('data.') && exists !== false)
    .map(({ field }) => field)
    .filter((field) => !types.some((type) => hasField(type, field)));
  return [
    ...[...new Set(absent)].map(
      (field) =>
        `None of the chosen event types has ${field}, so the endpoint gets only custom messages that have it.`,
    ),
    ...(checked > 0 && matched === 0
      ? [`None of your newest ${checked} messages matches. Check the fields and values.`]
      : []),
  ];
}

function isSelected(type: string, chosen: readonly string[] | null | undefined): boolean {
  return (
    chosen?.some((it) => it === type || (it.endsWith('.*') && type.startsWith(it.slice(0, -1)))) ??
    true
  );
}

function hasField(type: keyof typeof eventCatalog, field: string): boolean {
  return Object.hasOwn(eventCatalog[type].data.shape, field.slice('data.'.length));
}
