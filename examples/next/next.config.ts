import type { NextConfig } from 'next';

const config: NextConfig = {
  // Pages with a nonce are rendered for each request, so nothing is prerendered.
  cacheComponents: false,
};

export default config;
