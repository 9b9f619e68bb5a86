import type { ReactNode } from 'react';
import { Logo } from '../components/logo.tsx';
import './access-page.css';

/** The one card of a visitor without a session. */
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
