import type { Browser } from 'playwright-core';

/**
 * Returns the address and the visible text of each open page, for the report of a failed test. The text says
 * where the page stopped, which a timeout does not.
 */
export async function describePages(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const described = pages.map(async (page) => {
    const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
    return `${page.url()} shows:\n${text.slice(-3_000)}`;
  });
  return (await Promise.all(described)).join('\n\n');
}
