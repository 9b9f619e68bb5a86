import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

/** A section that is folded until the tenant opens it. */
export function Disclosure({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="fold">
      <summary class="fold__title">
        {title}
        <Icon name="next" />
      </summary>
      <div class="fold__body">{children}</div>
    </details>
  );
}
