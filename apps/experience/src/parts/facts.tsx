/** Of a plan or a payment: too long for the size of the other values. */
const isId = /^[a-z]{3}_/;

/** Terms with their values, one a line, in a card. A new value is a new box: nothing shifts. */
export function Facts({ lines }: { lines: readonly (readonly [term: string, value: string])[] }) {
  return (
    <dl class="svc-card svc-card--flush lines">
      {lines.map(([term, value]) => (
        <div key={term} class="lines__line">
          <dt class="lines__term">{term}</dt>
          <dd key={value} class={isId.test(value) ? 'lines__value reference' : 'lines__value'}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
