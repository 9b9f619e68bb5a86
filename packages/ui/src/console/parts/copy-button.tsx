import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

/** Copies text, or the text that a promise returns. Shows and announces the result for two seconds. */
export function CopyButton({
  text,
  label,
}: {
  text: string | (() => Promise<string>);
  label: string;
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('copied');
    } catch (error) {
      console.info('Copying failed.', error);
      setState('failed');
    }
  };
  return (
    <button type="button" className="icon-button" title={label} aria-label={label} onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span
        className={state === 'idle' ? 'svc-visually-hidden' : 'icon-button__says'}
        role="status"
      >
        {stateLabels[state]}
      </span>
    </button>
  );
}

const stateLabels = { idle: '', copied: 'Copied', failed: 'Not copied' };
