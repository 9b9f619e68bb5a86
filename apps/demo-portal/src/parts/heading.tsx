import type { ReactNode } from 'react';

export function Heading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="heading">
      <h1>{title}</h1>
      <p>{children}</p>
    </div>
  );
}
