import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The pages that the bench scripts drive; never part of the product's build. */
export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [react()],
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: ['chrome109', 'firefox115', 'safari16.4'],
    rolldownOptions: { input: { table: here('table.html') } },
  },
})
