/** A numbered list of what happens next. */
export function StepsList({ title, steps }: { title: string; steps: readonly string[] }) {
  return (
    <section class="group">
      <h2 class="subtitle">{title}</h2>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
