import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

/** A short explanation on hover and focus. The child must make sense without it. */
export function Tip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} delay={300} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="floating">
          <Tooltip.Popup className="tip">{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
