// Builds the console into the server's package, which serves it at /console.
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwind()],
  build: {
    outDir: '../server/console',
    emptyOutDir: true,
    // Everything is a file with a digest in its name: the policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    // The scripts print what they do.
  },
  logLevel: 'warn',
});
