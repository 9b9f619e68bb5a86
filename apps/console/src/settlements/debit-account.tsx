import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { Floating } from '@svc/ui/console/parts/floating.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { type DebitAccount, debitAccountQuery } from '../api/debit-account.ts';

/** Shows the account that the partner debits. It is read when the panel opens, with a fresh link only. */
export function DebitAccountPanel() {
  return (
    <Floating
      className="svc-button svc-button--secondary svc-button--small"
      name="Account to debit"
      popup="dialog"
      align="end"
      panelClassName="debit-account"
      face={
        <>
          Account to debit <Icon name="down" />
        </>
      }
    >
      {() => <Account />}
    </Floating>
  );
}

function Account() {
  const account = useQuery(debitAccountQuery);
  return (
    <>
      <LoadState
        query={account}
        loading="Loading the account"
        rows={4}
        failed="The account can’t be shown"
      />
      {account.data ? <Facts account={account.data} /> : null}
      <p className="debit-account__docs">
        <a className="svc-link" href="/docs/account-to-debit">
          Which account to debit
        </a>
      </p>
    </>
  );
}

function Facts({ account }: { account: DebitAccount }) {
  const { environment, authorization, company_id } = account;
  const { reference, valid_from, maximum_in_cents } = authorization;
  return (
    <>
      {environment === 'sandbox' ? (
        <p className="debit-account__note">An example that no bank knows: this is the sandbox.</p>
      ) : null}
      <dl className="facts">
        <Fact name="Holder">{visibleText(account.account_holder)}</Fact>
        <Fact name="Bank">{visibleText(account.bank_name)}</Fact>
        <Fact name="Routing number">
          <code>{account.routing_number}</code>
          <CopyButton text={account.routing_number} label="Copy routing number" />
        </Fact>
        <Fact name="Account number">
          <code>{account.account_number}</code>
          <CopyButton text={account.account_number} label="Copy account number" />
        </Fact>
        <Fact name="Type">{account.account_type === 'checking' ? 'Checking' : 'Savings'}</Fact>
        <Fact name="Entry class">
          <code>{account.sec_code}</code>
        </Fact>
        {company_id === null ? null : (
          <Fact name="Company id">
            <code>{visibleText(company_id)}</code>
          </Fact>
        )}
        <Fact name="Authorization">{visibleText(reference)}</Fact>
        <Fact name="Valid from">{formatDate(valid_from)}</Fact>
        <Fact name="Most per debit">
          {maximum_in_cents === null ? 'No limit' : formatCents(maximum_in_cents)}
        </Fact>
      </dl>
    </>
  );
}
