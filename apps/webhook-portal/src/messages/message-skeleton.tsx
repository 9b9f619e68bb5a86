export function MessageSkeleton() {
  return (
    <div className="message__skeleton" aria-busy="true">
      <span className="svc-visually-hidden">Loading the message</span>
      {['title', 'line', 'payload', 'card'].map((part) => (
        <span key={part} className={`svc-skeleton message__skeleton-${part}`} />
      ))}
    </div>
  );
}

export function DeliverySkeleton() {
  return <span className="svc-skeleton message__skeleton-card" aria-hidden="true" />;
}
