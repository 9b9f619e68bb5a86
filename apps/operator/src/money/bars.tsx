import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';

interface Series {
  readonly label: string;
  readonly tone: Tone | 'accent';
}

interface Column {
  readonly label: string;
  /** One value per series, from the bottom up. */
  readonly values: readonly number[];
}

/** A chart of stacked columns. Its accessible name has no numbers, because the table below it has them. */
export function Bars(props: {
  title: string;
  series: readonly Series[];
  columns: readonly Column[];
  format: (value: number) => string;
}) {
  const { title, series, columns, format } = props;
  const sums = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const most = Math.max(...sums, 1);
  return (
    <figure className="bars">
      <figcaption className="bars__legend">
        {series.map(({ label, tone }) => (
          <span key={label} className={`bars__key tone-${tone}`}>
            {label}
          </span>
        ))}
      </figcaption>
      <div
        className="bars__columns"
        role="img"
        aria-label={`${title}. The table below has the numbers.`}
      >
        {columns.map(({ label, values }, column) => (
          <div
            key={label}
            className="bars__column"
            title={`${label}: ${format(sums[column] ?? 0)}`}
          >
            <span className="bars__sum">{format(sums[column] ?? 0)}</span>
            <div className="bars__stack">
              {values.map((value, index) => (
                <span
                  // The series of a chart never change.
                  key={index}
                  className={`bars__part tone-${series[index]?.tone}`}
                  style={{ blockSize: `${(100 * value) / most}%` }}
                />
              ))}
            </div>
            <span className="bars__label">{label}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
