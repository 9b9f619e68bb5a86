import { startReference } from '../reference/try-it.ts';
import { startCopying } from './copy.ts';
import { fillInReader } from './reader.ts';
import { startSearch } from './search.ts';
import { recall, remember } from './storage.ts';
import { startTabs } from './tabs.ts';

const script = document.querySelector<HTMLScriptElement>('script[data-search]');

startTabs();
startReference();
startCopying();
startTheme();
markCurrentSection();
startSearch(script?.dataset.search ?? '');
// A tab may have hidden the target, or moved it.
document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
showCurrentLink();
await fillInReader();

/** Scrolls the sidebar to the open page. Avoids scrollIntoView, after which Tab would begin there. */
function showCurrentLink(): void {
  const sidebar = document.querySelector<HTMLElement>('.sidebar');
  const link = sidebar?.querySelector<HTMLElement>('[aria-current]');
  if (!sidebar || !link) return;
  const below = link.getBoundingClientRect().bottom - sidebar.getBoundingClientRect().bottom;
  if (below > 0) sidebar.scrollTop = below + sidebar.clientHeight / 3;
}

function startTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('.theme-button');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const { dataset } = document.documentElement;
    const shown =
      dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    const next = shown === 'dark' ? 'light' : 'dark';
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    // Back at the system's theme, the page follows the system again.
    if (next === system) delete dataset.theme;
    else dataset.theme = next;
    remember('theme', next === system ? 'system' : next);
  });
  if (recall('theme') === 'system') delete document.documentElement.dataset.theme;
}

/** Marks the section that is being read in the table of contents. */
function markCurrentSection(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.toc a')];
  if (links.length === 0) return;
  const headings = links.map((link) =>
    document.getElementById(decodeURIComponent(link.hash.slice(1))),
  );
  const update = () => {
    const passed = headings.findLastIndex((it) => it && it.getBoundingClientRect().top < 120);
    for (const [index, link] of links.entries()) {
      if (index === Math.max(0, passed)) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  addEventListener('scroll', () => requestAnimationFrame(update), { passive: true });
  update();
}
