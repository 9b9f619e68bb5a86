import { Tabs } from '@base-ui/react/tabs';
import { CodeFile } from '@svc/ui/console/parts/code-file.tsx';
import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useEscape } from '@svc/ui/console/parts/keyboard.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { UrlText } from '@svc/ui/console/parts/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type Endpoint, endpointQuery, readSecret } from '../api/endpoints.ts';
import { useSession } from '../session/use-session.ts';
import { type Language, languages, withPath } from './languages.ts';
import './verify-code.css';

const route = getRouteApi('/endpoints/$endpointId/verify');

/** Sample receivers for this endpoint in eight languages, with a library and, where possible, without one. */
export function VerifyPage() {
  const { endpointId } = route.useParams();
  const navigate = useNavigate();
  useEscape(
    useCallback(
      () => void navigate({ to: '/endpoints/$endpointId', params: { endpointId } }),
      [navigate, endpointId],
    ),
  );
  const endpoint = useQuery(endpointQuery(endpointId));
  return (
    <div className="page">
      <Link to="/endpoints/$endpointId" params={{ endpointId }} className="page__back svc-link">
        <Icon name="back" /> Endpoint
      </Link>
      <PageHeader title="Verify webhooks">
        {endpoint.data ? (
          <p className="page-header__lead">
            <UrlText url={endpoint.data.url} />
          </p>
        ) : null}
      </PageHeader>
      <LoadState
        query={endpoint}
        loading="Loading the endpoint"
        rows={8}
        failed="The endpoint could not be loaded"
      />
      {endpoint.data ? <Steps endpoint={endpoint.data} /> : null}
    </div>
  );
}

function Steps({ endpoint }: { endpoint: Endpoint }) {
  const { lang } = route.useSearch();
  const names = languages.map(({ name }) => name.toLowerCase());
  const navigate = useNavigate();
  const choose = (name: string) =>
    void navigate({
      to: '/endpoints/$endpointId/verify',
      params: { endpointId: endpoint.id },
      search: { lang: name },
      replace: true,
      resetScroll: false,
    });
  return (
    <ol className="verify">
      <li>
        <h2 className="section-title">Give your server the secret</h2>
        <SecretLine endpointId={endpoint.id} />
      </li>
      <li>
        <h2 className="section-title">Verify the signature before you use the payload</h2>
        <Tabs.Root value={names.find((name) => name === lang) ?? 'node'} onValueChange={choose}>
          <Tabs.List className="svc-tabs verify__tabs">
            {languages.map(({ name }) => (
              <Tabs.Tab key={name} value={name.toLowerCase()} className="svc-tabs__tab">
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {languages.map((language) => (
            <Tabs.Panel key={language.name} value={language.name.toLowerCase()}>
              <Samples language={language} path={pathOf(endpoint.url)} />
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      </li>
      <li>
        <h2 className="section-title">Try it</h2>
        <p className="verify__words">
          <Link to="/testing" search={{ endpoint_id: endpoint.id }} className="svc-link">
            Send a test
          </Link>{' '}
          and see the response immediately. If your server rejects it,{' '}
          <Link to="/debugger" className="svc-link">
            the debugger
          </Link>{' '}
          shows which part is wrong.
        </p>
      </li>
    </ol>
  );
}

function Samples({ language, path }: { language: Language; path: string }) {
  const { libraries, byHand } = language;
  return (
    <>
      {libraries.map(({ name, install, file, needs, source }) => (
        <section key={name} className="verify__way" aria-label={`With ${name}`}>
          <h3 className="verify__name">With {name}</h3>
          <div className="code">
            <pre className="code__text code__text--line">
              <code>{install}</code>
            </pre>
            <CopyButton text={install} label={`Copy the command that installs ${name}`} />
          </div>
          <CodeFile file={file} note={needs} code={withPath(source, path)} />
        </section>
      ))}
      {byHand.length > 0 ? (
        <details className="verify__way">
          <summary>Without a library</summary>
          <p className="verify__words">
            Use this only if you can’t add a library. A library handles secret rotation, timing-safe
            comparison, and timestamp checks for you.
          </p>
          {byHand.map(({ file, needs, source }) => (
            <CodeFile key={file} file={file} note={needs} code={withPath(source, path)} />
          ))}
        </details>
      ) : null}
    </>
  );
}

function SecretLine({ endpointId }: { endpointId: string }) {
  const { read_only } = useSession();
  return (
    <div className="code">
      <pre className="code__text code__text--line">
        <code>SVC_WEBHOOK_SECRET=whsec_{'•'.repeat(12)}</code>
      </pre>
      {read_only ? (
        <span className="code__needs">Read-only links can’t view the secret.</span>
      ) : (
        <CopyButton
          label="Copy with the secret"
          text={async () => `SVC_WEBHOOK_SECRET=${(await readSecret(endpointId)).secret}`}
        />
      )}
    </div>
  );
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '/';
}
