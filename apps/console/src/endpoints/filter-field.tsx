import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { minuteTime } from '@svc/ui/console/time/format-time.ts';
import { useDebounced } from '@svc/ui/console/time/use-debounced.ts';
import { useQuery } from '@tanstack/react-query';
import { type FilterPreview, filterPreviewQuery } from '../api/endpoints.ts';
import { checkChannels, readChannels } from '../subscriptions/read-channels.ts';
import type { PartProps } from './endpoint-draft.ts';
import { checkFilterText, parseFilter } from './filter-text.ts';

/** The payload filter, with a preview of the past messages that it would let through. */
export function FilterField({ draft, error, onChange }: PartProps) {
  const wrong = checkFilterText(draft.filter);
  return (
    <div>
      <Field
        label="Filter"
        optional
        hint={
          <>
            One condition on each line; all must hold. For example{' '}
            <code>data.product_variant = hoa</code>, <code>external_id in t-1, t-2</code>,{' '}
            <code>data.reason exists</code>, or <code>simulated missing</code>. Put text that looks
            like a number in quotes.
          </>
        }
        error={wrong ?? fieldError(error, 'filter')}
      >
        {(wiring) => (
          <textarea
            {...wiring}
            className="svc-field__input svc-field__input--code"
            rows={3}
            autoComplete="off"
            spellCheck={false}
            value={draft.filter}
            onChange={(event) => onChange({ filter: event.target.value })}
          />
        )}
      </Field>
      {wrong === null && draft.filter.trim() !== '' ? <Preview draft={draft} /> : null}
    </div>
  );
}

function Preview({ draft }: Pick<PartProps, 'draft'>) {
  const text = useDebounced(draft.filter, 300);
  const channels = checkChannels(draft.channels) === null ? readChannels(draft.channels) : [];
  const filter = checkFilterText(text) === null ? parseFilter(text) : null;
  const preview = useQuery({
    ...filterPreviewQuery({
      filter: filter ?? [],
      event_types: draft.eventTypes?.length === 0 ? null : draft.eventTypes,
      channels: channels.length === 0 ? null : channels,
    }),
    enabled: filter !== null,
  });
  const refused = fieldError(preview.error, 'filter') ?? generalError(preview.error, ['filter']);
  if (refused !== null) return <p className="svc-field__error">{refused}</p>;
  if (!preview.data) return <p className="filter-preview">Checking past messages…</p>;
  return <PreviewResult preview={preview.data} />;
}

function PreviewResult({ preview }: { preview: FilterPreview }) {
  const { checked, matched, matching, warnings } = preview;
  return (
    <div className="filter-preview" role="status">
      <p>
        {checked === 0
          ? 'There are no past messages to try it on.'
          : `Matches ${matched} of the newest ${checked} messages.`}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="filter-preview__warning">
          {warning}
        </p>
      ))}
      {matching.length === 0 ? null : (
        <ul>
          {matching.map(({ id, event_type, external_id, created_at }) => (
            <li key={id}>
              <code>{event_type}</code> {external_id === null ? '' : visibleText(external_id)},{' '}
              {minuteTime(created_at)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
