import type { ReactNode } from 'react';
import { Logo } from '../parts/logo.tsx';
import './access-page.css';

/** The page for visitors without a session. */
export function AccessPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="access">
      <div className="access__card svc-card">
        <Logo />
        <h1 className="access__title">{title}</h1>
        {children}
      </div>
    </main>
  );
}
