import { Header } from '../parts/header.tsx';
import { useFirstWords } from '../words/use-words.ts';

/** A skeleton of the offer, the most frequent first screen, shown until there is a session. */
export function Loading() {
  const { words } = useFirstWords();
  return (
    <main class="screen" aria-busy="true">
      <Header />
      <div class="screen__body">
        <div class="content">
          <h1 class="svc-visually-hidden" id="title">
            {words.loading}
          </h1>
          <div class="group" aria-hidden="true">
            <span class="svc-skeleton skeleton-title" />
            <span class="svc-skeleton skeleton-title skeleton-title--short" />
          </div>
          <span class="svc-skeleton skeleton-line" aria-hidden="true" />
          <div class="group" aria-hidden="true">
            <Row count={4} name="skeleton-bar" />
            <Row count={3} name="skeleton-tile" />
          </div>
          <span class="svc-skeleton skeleton-block" aria-hidden="true" />
        </div>
        <div class="footer" aria-hidden="true">
          <span class="svc-skeleton skeleton-line" />
          <span class="svc-skeleton skeleton-button" />
        </div>
      </div>
    </main>
  );
}

function Row({ count, name }: { count: number; name: string }) {
  return (
    <div class="skeleton-row">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} class={`svc-skeleton ${name}`} />
      ))}
    </div>
  );
}
