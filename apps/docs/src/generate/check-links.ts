/** The finished site: HTML by address, and the addresses of all other files. */
export interface BuiltSite {
  readonly html: ReadonlyMap<string, string>;
  readonly files: ReadonlySet<string>;
  /** Addresses that the service answers and this site does not have, such as `/v1/openapi.json`. */
  readonly elsewhere: RegExp;
}

/** Lists every link, picture and script of the site that leads to nothing, and every id that is used twice. */
export function brokenLinks({ html, files, elsewhere }: BuiltSite): string[] {
  const ids = new Map(Array.from(html, ([path, text]) => [path, idsOf(text)] as const));
  const problems: string[] = [];
  for (const [path, text] of html) {
    for (const id of duplicates(ids.get(path) ?? []))
      problems.push(`${path}: the id "${id}" is used twice`);
    const withoutCode = text.replace(/<pre[\s\S]*?<\/pre>/g, '');
    for (const [, href = ''] of withoutCode.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|data:)/.test(href) || elsewhere.test(href)) continue;
      const [target = '', anchor] = href.split('#');
      const page = target === '' ? path : target;
      if (files.has(page)) continue;
      const found = ids.get(page);
      if (!found) problems.push(`${path}: there is nothing at ${href}`);
      else if (anchor !== undefined && !found.includes(anchor)) {
        problems.push(`${path}: ${page} has no #${anchor}`);
      }
    }
  }
  return problems;
}

/** Lists the pages with inline scripts, styles or handlers, which the service's policy blocks. */
export function blockedByPolicy(html: ReadonlyMap<string, string>): string[] {
  return Array.from(html).flatMap(([path, text]) => {
    const withoutCode = text.replace(/<pre[\s\S]*?<\/pre>/g, '');
    const found = /<[a-z][^>]*\s(?:style|on[a-z]+)="[^"]*"|<script(?![^>]*\ssrc=)|<style/.exec(
      withoutCode,
    );
    return found === null ? [] : [`${path}: the policy blocks ${found[0]}`];
  });
}

function idsOf(html: string): string[] {
  return Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id);
}

function duplicates(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
