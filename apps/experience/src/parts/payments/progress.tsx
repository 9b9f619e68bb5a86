interface ProgressProps {
  paid: number;
  all: number;
  /** The progress as text below the bar, such as "1 of 4 payments made". */
  label: string;
  left: string;
}

/** A bar with one segment for each payment, the made ones filled, and the progress in words. */
export function Progress({ paid, all, label, left }: ProgressProps) {
  return (
    <div class="plan-progress">
      <span class="plan-progress__bar" aria-hidden="true">
        {Array.from({ length: all }, (_, index) => (
          <i key={index} data-done={index < paid} />
        ))}
      </span>
      <p class="plan-progress__text">
        <span>{label}</span>
        <span>{left}</span>
      </p>
    </div>
  );
}
