/** Downloads a list for a spreadsheet. `href` is an address below `/operator/v1`, with the filters of the page. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a
      className="svc-button svc-button--quiet svc-button--small"
      href={`/operator/v1${href}`}
      download
    >
      CSV
    </a>
  );
}
