/** Terms with their values, one a line, in a card. A new value is a new box: nothing shifts. */
export function Facts({ lines }: { lines: readonly (readonly [term: string, value: string])[] }) {
  return (
    <dl class="svc-card svc-card--flush lines">
      {lines.map(([term, value]) => (
        <div key={term} class="lines__line">
          <dt class="lines__term">{term}</dt>
          <dd key={value} class="lines__value">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
