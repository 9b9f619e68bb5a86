/** Ids, such as `pln_4hT8wZ2q`, are long, so they get a smaller font. */
const isId = /^[a-z]{3}_/;

/**
 * A card of terms and values. Each value is keyed by its text: a replaced element causes no layout
 * shift, while one that changes its width does.
 */
export function Facts({ lines }: { lines: readonly (readonly [term: string, value: string])[] }) {
  return (
    <dl class="svc-card svc-card--flush list">
      {lines.map(([term, value]) => (
        <div key={term} class="list__row">
          <dt class="list__label">{term}</dt>
          <dd key={value} class={isId.test(value) ? 'list__value reference' : 'list__value'}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
