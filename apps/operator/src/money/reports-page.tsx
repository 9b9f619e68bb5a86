import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CsvLink } from '../parts/csv-link.tsx';
import { DelinquencyReport, FeesReport, LossesReport, PortfolioReport } from './reports.tsx';
import './money.css';

const route = getRouteApi('/money/reports');

const reports = {
  delinquency: { title: 'Delinquency', Report: DelinquencyReport },
  losses: { title: 'Losses', Report: LossesReport },
  fees: { title: 'Fees', Report: FeesReport },
  portfolio: { title: 'Portfolio', Report: PortfolioReport },
} as const;
type ReportName = keyof typeof reports;

/** Reports for finance, each as a chart, a table and a file. */
export function ReportsPage() {
  const { report } = route.useSearch();
  const shown: ReportName =
    report !== undefined && report in reports ? (report as ReportName) : 'delinquency';
  const { title, Report } = reports[shown];
  return (
    <div className="page">
      <PageHeader
        title={title}
        heading="Reports"
        actions={<CsvLink href={`/reports/${shown}.csv`} />}
      />
      <nav className="svc-tabs" aria-label="Reports">
        {Object.entries(reports).map(([name, { title: label }]) => (
          <Link
            key={name}
            to="/money/reports"
            search={{ report: name }}
            replace
            className="svc-tabs__tab"
            aria-current={name === shown ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Report />
    </div>
  );
}
