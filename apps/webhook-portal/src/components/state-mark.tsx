export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

/** A dot and a word: state is never color alone. */
export function StateMark({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`state-mark tone-${tone}`}>
      <span className="state-mark__dot" aria-hidden="true" />
      <span className="state-mark__word">{children}</span>
    </span>
  );
}
