import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useFlow } from '../flow/flow.ts';
import { keepVisit } from '../flow/visit.ts';
import { useWords } from '../words/use-words.ts';

interface VisitLinkProps {
  href: string;
  isSecondary?: boolean;
  /** True if the tenant has tried to open the page before the link was shown. */
  wasTried?: boolean;
  children: ComponentChildren;
}

/**
 * A link to a page of the bank or the processor. It opens in place of our own page, or in another tab if we are
 * in a frame. Many apps open no tab and do not tell the page, so after the first press there is also a link that
 * leaves the portal's page.
 */
export function VisitLink({
  href,
  isSecondary = false,
  wasTried = false,
  children,
}: VisitLinkProps) {
  const flow = useFlow();
  const copy = useWords().words.noWindow;
  const [isTried, setTried] = useState(wasTried);
  const isFramed = !flow.store.page.isStandalone;
  return (
    <>
      <a
        class={`svc-button svc-button--block ${isSecondary ? 'svc-button--secondary' : ''}`}
        href={href}
        rel="noopener noreferrer"
        {...(isFramed ? { target: '_blank' } : {})}
        onClick={() => (isFramed ? setTried(true) : keepVisit(flow))}
      >
        {children}
      </a>
      {isFramed && isTried && (
        <>
          <p>{copy.text}</p>
          <a
            class="svc-button svc-button--quiet svc-button--block"
            href={href}
            rel="noreferrer"
            target="_top"
          >
            {copy.action}
          </a>
        </>
      )}
    </>
  );
}
