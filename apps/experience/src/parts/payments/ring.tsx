/** A progress ring with a label inside. */
export function Ring(props: { paid: number; all: number; label: string; caption: string }) {
  const { paid, all, label, caption } = props;
  return (
    <div class="ring" role="img" aria-label={label}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="ring__track" cx="50" cy="50" r="43" />
        {paid > 0 && (
          <circle
            class="ring__arc"
            cx="50"
            cy="50"
            r="43"
            pathLength={100}
            stroke-dasharray={`${(100 * paid) / all} 100`}
          />
        )}
      </svg>
      <span class="ring__label" aria-hidden="true">
        <strong>
          {paid}/{all}
        </strong>
        {caption}
      </span>
    </div>
  );
}
