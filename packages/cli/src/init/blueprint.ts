import type { Variant } from '../parse-variant.ts';
import { fillTemplate } from './fill-template.ts';
import type { Project } from './project.ts';

export interface BlueprintFile {
  /** Below the project's folder. */
  readonly path: string;
  readonly content: string;
}

/** A file of the blueprint. */
interface DescribedFile extends BlueprintFile {
  /** Describes the file in the guide for coding agents. */
  readonly about: string;
}

/** The files and settings that a project gets. */
export interface Blueprint {
  readonly files: readonly DescribedFile[];
  /** Our packages. */
  readonly packages: readonly string[];
  /** Packages of the registry that the files import. */
  readonly others: readonly string[];
  /** The file with secrets. */
  readonly envFile: string;
  /** How to start it, and where the page is. */
  readonly start: string;
  readonly page: string;
  readonly webhooks: string;
  /** The next steps, beyond trying it out. */
  readonly notes: readonly string[];
}

/** A blueprint whose files are not filled in yet. */
interface Outline extends Omit<Blueprint, 'files'> {
  /** Each file's path and template. */
  readonly templates: Readonly<Record<string, string>>;
  /** Text of the templates that differs in this project. */
  readonly replacements?: Readonly<Record<string, string>>;
}

/** Replacements for production, because the templates are for the sandbox. */
const inProduction = {
  'Environment.Sandbox': 'Environment.Production',
  "environment: 'sandbox'": "environment: 'production'",
};

/** Replacements for a portal of associations, because the templates are about rent. */
const forOwners = {
  'environment={Environment.Sandbox}': `environment={Environment.Sandbox}
      product_variant="hoa"`,
  '  environment: Environment.Sandbox,': `  environment: Environment.Sandbox,
  productVariant: 'hoa',`,
  '{ ...settings, environment': "{ ...settings, productVariant: 'hoa', environment",
  '    email: tenant.email,': `    email: tenant.email,
    product_variant: 'hoa',`,
  'Your rent': 'Your dues',
};

const fileDescriptions: Readonly<Record<string, string>> = {
  'backend.ts':
    'what the routes take from this app. Replace `currentTenant()`, and complete `webhooks`.',
  'express-server.ts': 'a server to try it out',
  'next-page.tsx': 'the page with the widget',
  'next-token-route.ts': 'the route for the tenant token',
  'next-webhooks-route.ts': 'the webhook receiver',
  'rent-widget.tsx': 'the widget',
  'router.ts': 'the routes: widget settings or page, tenant token, webhooks',
  'vite-rent.html': 'the page with the widget',
  'vite-rent.ts': 'the widget',
  'vite-server.mjs': 'a server to try it out, with Vite',
};

const outlines = { next: outlineNext, vite: outlineVite, express: outlineExpress };

export function blueprintOf(
  project: Project,
  { environment, variant }: { readonly environment: string; readonly variant: Variant },
): Blueprint {
  const { framework } = project;
  const { templates, replacements, ...rest } = outlines[framework](project);
  const replaced = {
    ...replacements,
    ...(variant === 'hoa' ? forOwners : {}),
    ...(environment === 'production' ? inProduction : {}),
  };
  const files = Object.entries(templates).map(([path, template]) => ({
    path,
    content: fillTemplate(template, path, framework, replaced),
    about: fileDescriptions[template] ?? '',
  }));
  return { ...rest, files };
}

function outlineNext({ sources, typescript }: Project): Outline {
  const [js, jsx] = typescript ? ['ts', 'tsx'] : ['js', 'jsx'];
  return {
    packages: ['@svc/core', '@svc/react', '@svc/node'],
    others: [],
    envFile: '.env.local',
    start: 'npx next dev',
    page: 'http://localhost:3000/rent',
    webhooks: 'http://localhost:3000/api/svc/webhooks',
    notes: [
      `Replace currentTenant() in ${sources}lib/svc.${js} by your session and your database.`,
    ],
    templates: {
      [`${sources}lib/svc.${js}`]: 'backend.ts',
      [`${sources}app/rent/page.${jsx}`]: 'next-page.tsx',
      [`${sources}app/rent/rent-widget.${jsx}`]: 'rent-widget.tsx',
      [`${sources}app/api/svc/token/route.${js}`]: 'next-token-route.ts',
      [`${sources}app/api/svc/webhooks/route.${js}`]: 'next-webhooks-route.ts',
    },
  };
}

function outlineVite({ react, typescript, dependencies }: Project): Outline {
  const script = `src/svc/rent.${typescript ? 'ts' : 'js'}${react ? 'x' : ''}`;
  return {
    packages: react ? ['@svc/core', '@svc/react', '@svc/node'] : ['@svc/core', '@svc/node'],
    others: dependencies.has('express') ? [] : ['express'],
    envFile: '.env.local',
    start: 'node --env-file=.env.local server/svc.mjs',
    page: 'http://localhost:3000/rent.html',
    webhooks: 'http://localhost:3000/api/svc/webhooks',
    notes: [
      'Replace currentTenant() in server/svc-backend.mjs by your session and your database.',
      'In production, mount svcRouter in your own server, next to the files that "vite build" writes.',
    ],
    templates: {
      'server/svc-backend.mjs': 'backend.ts',
      'server/svc-router.mjs': 'router.ts',
      'server/svc.mjs': 'vite-server.mjs',
      'rent.html': 'vite-rent.html',
      [script]: react ? 'rent-widget.tsx' : 'vite-rent.ts',
    },
    replacements: { './backend.js': './svc-backend.mjs', 'src/svc/rent.tsx': script },
  };
}

function outlineExpress({ typescript, sources, modules, dependencies }: Project): Outline {
  const js = typescript ? 'ts' : modules ? 'js' : 'mjs';
  const folder = `${sources}svc`;
  // TypeScript resolves the compiled name.
  const imported = typescript ? 'js' : js;
  return {
    packages: ['@svc/node'],
    others: dependencies.has('express') ? [] : ['express'],
    envFile: '.env',
    start: `${typescript ? 'npx tsx' : 'node'} --env-file=.env ${folder}/server.${js}`,
    page: 'http://localhost:3000/rent',
    webhooks: 'http://localhost:3000/api/svc/webhooks',
    notes: [
      `Replace currentTenant() in ${folder}/backend.${js} by your session and your database.`,
      `Mount svcRouter of ${folder}/router.${js} in your app, before express.json().`,
    ],
    templates: {
      [`${folder}/backend.${js}`]: 'backend.ts',
      [`${folder}/router.${js}`]: 'router.ts',
      [`${folder}/server.${js}`]: 'express-server.ts',
    },
    replacements: {
      './backend.js': `./backend.${imported}`,
      './router.js': `./router.${imported}`,
    },
  };
}
