import type { Controls } from '../api/partners.ts';
import { CommandButton } from '../commands/command-button.tsx';

/** Ends a pause of collections. */
export function ResumeButton(pause: Pick<Controls['pauses'][number], 'pms' | 'scope' | 'subject'>) {
  const { pms, scope, subject } = pause;
  const input = scope === 'partner' ? { pms } : { pms, [scope]: subject };
  return (
    <CommandButton command="collections-resume" input={input} without={['property', 'tenant']}>
      Resume
    </CommandButton>
  );
}
