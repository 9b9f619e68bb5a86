/** Rows in the shape of what comes; shows after 150 ms. */
export function RowsSkeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div className="rows" aria-busy="true">
      <span className="svc-visually-hidden">{label}</span>
      {widths.slice(0, rows).map((width) => (
        <div className="rows__skeleton" key={width}>
          <span className="svc-skeleton" style={{ inlineSize: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}

const widths = [62, 48, 71, 55, 66, 43, 59, 75];
