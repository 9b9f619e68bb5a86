import {
  type KeyboardEventHandler,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';

/**
 * A button and the popover it opens, in the browser's top layer. Escape, a click outside, and the
 * button close it, and focus returns to the button.
 */
export function Floating(props: {
  /** The button's content. With `label` it is decorative. */
  face: ReactNode;
  label?: string;
  className: string;
  align: 'start' | 'end';
  popup: 'menu' | 'dialog';
  name: string;
  panelClassName?: string;
  onKeyDown?: KeyboardEventHandler<HTMLElement>;
  onOpen?: (panel: HTMLElement) => void;
  /** Rendered each time the popover opens. */
  children: () => ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const { align } = props;
  useWhileOpen(open, () => {
    if (button.current && panel.current) placePanel(button.current, panel.current, align);
  });
  // `toggle` fires after the panel is laid out or hidden, and may merge several changes. The contents
  // must be rendered before it opens (see onBeforeToggle) and stay until focus has left the panel.
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    const shown = event.newState === 'open';
    setOpen(shown);
    if (!shown || !button.current) return;
    placePanel(button.current, event.currentTarget, align);
    props.onOpen?.(event.currentTarget);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={props.className}
        popoverTarget={id}
        aria-haspopup={props.popup}
        aria-expanded={open}
        aria-label={props.label}
        title={props.label}
      >
        {props.face}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is the popup's, menu or dialog. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is the popup's, menu or dialog. */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={props.popup}
        aria-label={props.name}
        className={`floating ${props.panelClassName ?? ''}`}
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        onToggle={onToggle}
        onKeyDown={props.onKeyDown}
      >
        {open ? props.children() : null}
      </div>
    </>
  );
}

export function closeFloating(inside: Element): void {
  inside.closest<HTMLElement>('[popover]')?.hidePopover();
}

/** Repositions the panel when the page scrolls or resizes while it is open. */
function useWhileOpen(open: boolean, onMove: () => void): void {
  const moved = useEffectEvent(onMove);
  useEffect(() => {
    if (!open) return;
    const listener = () => moved();
    addEventListener('scroll', listener, { capture: true, passive: true });
    addEventListener('resize', listener);
    return () => {
      removeEventListener('scroll', listener, { capture: true });
      removeEventListener('resize', listener);
    };
  }, [open]);
}

/** Places the panel below the button, or above it if there is more space, always inside the window. */
function placePanel(button: HTMLElement, panel: HTMLElement, align: 'start' | 'end'): void {
  const from = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const left = align === 'start' ? from.left : from.right - width;
  const above = from.bottom + gap + height > innerHeight && from.top > innerHeight - from.bottom;
  const top = above ? from.top - gap - height : from.bottom + gap;
  panel.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`;
  panel.style.top = `${Math.max(edge, top)}px`;
  panel.dataset.placed = 'true';
}

const gap = 6;
const edge = 8;
