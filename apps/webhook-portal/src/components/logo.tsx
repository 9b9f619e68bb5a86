export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="logo__ground" />
        <path d="M7 16h7l3-6 3 12 2-6h3" className="logo__line" />
      </svg>
      <span className="logo__word">Console</span>
    </span>
  );
}
