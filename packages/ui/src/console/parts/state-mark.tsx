export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

/** A colored dot and a word. State is never shown by color alone. */
export function StateMark({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`state-mark tone-${tone}`}>
      <span className="state-mark__dot" aria-hidden="true" />
      <span className="state-mark__word">{children}</span>
    </span>
  );
}
