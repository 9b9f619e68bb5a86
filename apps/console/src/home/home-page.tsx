import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { useSession } from '../session/use-session.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import './home.css';

/** The start of the console: what needs attention, the first steps, and the docs. */
export function HomePage() {
  const { scope } = useSession();
  return (
    <div className="page">
      <PageHeader title="Home" />
      <Attention isAdmin={scope === 'admin'} />
      {scope === 'admin' ? <FirstSteps /> : null}
      <Docs />
    </div>
  );
}

function Docs() {
  return (
    <section className="home__part" aria-labelledby="home-docs">
      <h2 id="home-docs" className="home__title">
        Docs
      </h2>
      <ul className="home__docs">
        {pages.map(({ href, name, about }) => (
          <li key={href}>
            <a className="svc-link" href={href}>
              {name}
            </a>
            <span className="home__about">{about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const pages = [
  { href: '/docs/start', name: 'Start', about: 'From an API key to the first split.' },
  { href: '/docs/widget', name: 'Widget', about: 'Show the offer in your page.' },
  { href: '/docs/webhooks', name: 'Webhooks', about: 'Receive and verify messages.' },
  {
    href: '/docs/settlements',
    name: 'Settlements',
    about: 'Debit what we owe you, and report it.',
  },
  { href: '/docs/rehearsal', name: 'Rehearsal', about: 'Play every case in the sandbox.' },
  { href: '/docs/go-live', name: 'Go live', about: 'What to check before production.' },
] as const;
