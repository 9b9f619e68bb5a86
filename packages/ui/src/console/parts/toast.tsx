import { useEffect, useSyncExternalStore } from 'react';

/** Shows a confirmation for four seconds. A new toast replaces the current one. */
export function showToast(text: string): void {
  current = { text, number: (current?.number ?? 0) + 1 };
  notifyListeners();
}

export function ToastRegion() {
  const toast = useSyncExternalStore(subscribe, () => current);
  useEffect(() => {
    if (toast === null) return;
    const timer = setTimeout(() => {
      current = null;
      notifyListeners();
    }, 4000);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div role="status">
      {toast ? (
        <p className="svc-toast" key={toast.number}>
          {toast.text}
        </p>
      ) : null}
    </div>
  );
}

let current: { text: string; number: number } | null = null;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
