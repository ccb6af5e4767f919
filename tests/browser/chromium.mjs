// Headless Chromium for the tests, driven by playwright-core, which `npm ci` in reports/web installs.

import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../reports/web/package.json', import.meta.url))('playwright-core');

/** Starts the machine's own Chromium (or $CHROMIUM); the flags keep it from talking to anyone. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export const phone = { name: 'phone', viewport: { width: 390, height: 844 } };
export const desktop = { name: 'desktop', viewport: { width: 1280, height: 900 } };
