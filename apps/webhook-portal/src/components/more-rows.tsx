import type { ReactNode } from 'react';

interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Below a list that goes on: the button for its next page. */
export function MoreRows({ of, children }: { of: Paged; children: ReactNode }) {
  if (!of.hasNextPage) return null;
  return (
    <div className="rows__more">
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        aria-busy={of.isFetchingNextPage}
        onClick={() => void of.fetchNextPage()}
      >
        {children}
      </button>
    </div>
  );
}
