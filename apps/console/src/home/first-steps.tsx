import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { allowedOriginsQuery } from '../api/allowed-origins.ts';
import { type GoLiveLine, goLiveQuery } from '../api/doctor.ts';
import { endpointsQuery } from '../api/endpoints.ts';
import { settlementList } from '../api/settlements.ts';
import { tenantList } from '../api/tenants.ts';
import { useSession } from '../session/use-session.ts';

/** The way from an API key to production. Disappears when every step is done. */
export function FirstSteps() {
  const { environment } = useSession();
  const tenants = useInfiniteQuery(tenantList.query({}));
  const origins = useQuery(allowedOriginsQuery);
  const endpoints = useQuery(endpointsQuery);
  const verified = useInfiniteQuery(settlementList.query({ status: 'verified' }));
  const goLive = useQuery(goLiveQuery);
  const queries = [tenants, origins, endpoints, verified, goLive];
  // A step must not look open before the service has answered.
  if (queries.some(({ data }) => data === undefined)) return null;
  const steps: Step[] = [
    {
      name: 'Report the first tenant',
      todo: 'Your backend sends a tenant’s charges. Start shows the call.',
      done: hasItems(tenants.data?.pages),
      href: '/docs/start',
    },
    {
      name: 'Allow your page',
      todo: 'List the origins whose pages may show the widget.',
      done: (origins.data?.allowed_origins.length ?? 0) > 0,
      link: { to: '/origins' },
    },
    {
      name: 'Receive webhooks',
      todo: 'Add an endpoint of your backend.',
      done: (endpoints.data?.length ?? 0) > 0,
      link: { to: '/endpoints/new' },
    },
    {
      name: 'Settle a split',
      todo: 'Take a tenant through a split, then report the settlement’s debit as arrived.',
      done: hasItems(verified.data?.pages),
      link: { to: '/tenants' },
    },
    ...(environment === 'sandbox' ? [certifyStep(goLive.data?.items ?? [])] : []),
    {
      name: 'Complete the go-live checklist',
      todo: 'Run the doctor, and go through what is left before production.',
      done: goLive.data?.items.every(({ done }) => done) ?? false,
      link: { to: '/doctor' },
    },
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <section className="home__part" aria-labelledby="home-steps">
      <h2 id="home-steps" className="home__title">
        First steps
      </h2>
      <ol className="home__steps">
        {steps.map((step) => (
          <li key={step.name} className="home__step">
            <span className={step.done ? 'home__dot home__dot--done' : 'home__dot'}>
              {step.done ? <Icon name="check" /> : null}
            </span>
            <span className="home__step-words">
              <StepName step={step} />
              {step.done ? (
                <span className="svc-visually-hidden"> (done)</span>
              ) : (
                <span className="home__about">{step.todo}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Step {
  readonly name: string;
  readonly todo: string;
  readonly done: boolean;
  readonly link?: Pick<LinkProps, 'to'>;
  /** A page of the docs, which is outside of the router. */
  readonly href?: string;
}

/** The step is done once a certification has marked all of its items. */
function certifyStep(items: readonly GoLiveLine[]): Step {
  const marked: readonly string[] = ['forgery_refused', 'duplicates_handled', 'decline_rehearsed'];
  return {
    name: 'Prove your integration',
    todo: 'Certify plays every bad delivery against your receiver, and names each mistake.',
    done: items.every(({ id, done }) => done || !marked.includes(id)),
    link: { to: '/certify' },
  };
}

function StepName({ step: { name, done, link, href } }: { step: Step }) {
  if (done) return <span className="home__step-name">{name}</span>;
  if (link)
    return (
      <Link {...link} className="svc-link">
        {name}
      </Link>
    );
  return (
    <a href={href} className="svc-link">
      {name}
    </a>
  );
}

function hasItems(pages: readonly { readonly items: readonly unknown[] }[] | undefined): boolean {
  return pages?.some(({ items }) => items.length > 0) ?? false;
}
