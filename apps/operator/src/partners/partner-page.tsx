import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { BrandPreview } from '@svc/ui/console/brand/brand-preview.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Partner, partnerQuery } from '../api/partners.ts';
import { useMayRun } from '../commands/command-button.tsx';
import { MoneySwitch } from '../controls/money-switch.tsx';
import { TermsInForce } from '../terms/terms-in-force.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { KeyList } from './key-list.tsx';
import './partners.css';

const route = getRouteApi('/partners/$pms');

/** One portal: how it calls us, how we call it, and under which terms. */
export function PartnerPage() {
  const { pms } = route.useParams();
  const partner = useQuery({ ...partnerQuery(pms), refetchInterval: pollIntervals.background });
  const { data } = partner;
  return (
    <div className="page" key={pms}>
      <Link to="/partners" className="page__back svc-link">
        <Icon name="back" /> Partners
      </Link>
      <PageHeader title={visibleText(data?.name ?? pms)}>
        {data ? <Lead partner={data} /> : null}
      </PageHeader>
      <LoadState
        query={partner}
        loading="Loading the partner"
        rows={6}
        failed="The partner could not be loaded"
      />
      {data ? (
        <div className="partner">
          <div className="partner__main">
            <Keys partner={data} />
            <Part title="Endpoints">
              <EndpointList endpoints={data.endpoints} />
            </Part>
            <MoneySwitch pms={pms} />
          </div>
          <aside className="partner__side" aria-label="Facts">
            <TermsInForce pms={pms} />
            <Origins origins={data.allowed_origins} />
          </aside>
          <Brand partner={data} />
        </div>
      ) : null}
    </div>
  );
}

function Lead({ partner: { pms, environment, created_at } }: { partner: Partner }) {
  return (
    <p className="page-header__lead">
      <code>{visibleText(pms)}</code>
      <span>{environment === 'sandbox' ? 'Sandbox' : 'Production'}</span>
      <span>
        Since <Ago at={created_at} inline />
      </span>
    </p>
  );
}

function Part(props: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="partner__part" aria-label={props.title}>
      <div className="partner__part-head">
        <h2 className="section-title">{props.title}</h2>
        {props.action}
      </div>
      {props.children}
    </section>
  );
}

function Keys({ partner: { pms, keys } }: { partner: Partner }) {
  const [isCreating, setCreating] = useState(false);
  const action = useMayRun('key-create') ? (
    <button
      type="button"
      className="svc-button svc-button--secondary svc-button--small"
      onClick={() => setCreating(true)}
    >
      New key
    </button>
  ) : null;
  return (
    <Part title="API keys" action={action}>
      <KeyList keys={keys} />
      <HandOverDialog open={isCreating} pms={pms} onClose={() => setCreating(false)} />
    </Part>
  );
}

function Origins({ origins }: { origins: readonly string[] }) {
  return (
    <section className="svc-card side-card" aria-label="Origins">
      <h2 className="section-title">Pages that may show the widget</h2>
      {origins.length === 0 ? (
        <p className="side-card__quiet">None yet. The partner sets them in its own console.</p>
      ) : (
        <ul className="partner__origins">
          {origins.map((origin) => (
            <li key={origin}>
              <code>{visibleText(origin)}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * The brand that the partner's tenants see, without an uploaded font: fonts are served on the public origin, from
 * which this page may not load.
 */
function Brand({ partner: { pms, appearance } }: { partner: Partner }) {
  const { accent, radius, font, theme, logo, has_font_file } = appearance;
  const isDefault = accent === null && radius === null && font === null && logo === null;
  return (
    <div className="partner__brand">
      <BrandPreview
        name={pms}
        accent={accent}
        radius={radius}
        font={font}
        theme={theme}
        logo={logo}
        fontUrl={null}
      />
      <dl className="facts">
        <Fact name="Accent">{accent ?? 'Ours'}</Fact>
        <Fact name="Font">
          {has_font_file ? 'Uploaded, not shown in this preview' : (font ?? 'Of the system')}
        </Fact>
        {isDefault ? <Fact name="Brand">The partner has not set its own.</Fact> : null}
      </dl>
    </div>
  );
}
