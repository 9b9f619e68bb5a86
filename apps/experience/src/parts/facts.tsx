/** Ids, such as `pln_4hT8wZ2q`, are long, so they get a smaller font. */
const isId = /^[a-z]{3}_/;

type Line = readonly [term: string, value: string, note?: string];

/**
 * A card of terms and values. A note stands below its term. Each value is keyed by its text: a
 * replaced element causes no layout shift, while one that changes its width does.
 */
export function Facts({ lines }: { lines: readonly Line[] }) {
  return (
    <dl class="svc-card svc-card--flush list">
      {lines.map(([term, value, note]) => (
        <div key={`${term} ${note}`} class="list__row">
          <dt class="list__label">
            {term} {note !== undefined && <span class="list__note">{note}</span>}
          </dt>
          <dd key={value} class={isId.test(value) ? 'list__value reference' : 'list__value'}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
