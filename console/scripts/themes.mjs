// Writes the colours of the eleven themes from their seeds: `node console/scripts/themes.mjs`. A test refuses the files
// when they are stale, and computes every pair of text and ground in them.
import { writeFileSync } from 'node:fs'
import { themeFiles } from './theme-files.ts'

for (const [name, text] of Object.entries(themeFiles()))
  writeFileSync(new URL(`../src/ui/themes/${name}`, import.meta.url), text)
