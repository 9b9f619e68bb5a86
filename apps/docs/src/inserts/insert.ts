/** Content of a page that is generated: as Markdown, and as HTML if Markdown cannot express it. */
export interface Insert {
  readonly markdown: string;
  readonly html?: string;
}
