// Compresses the built files once, so that the server never has to: node console/scripts/compress.mjs
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = path.resolve(import.meta.dirname, '..', 'dist')
const files = globSync('**/*.{js,css,svg,json}', { cwd: dist })
if (files.length === 0) throw new Error(`nothing to compress in ${dist}`)
for (const file of files) {
  const bytes = readFileSync(path.join(dist, file))
  if (bytes.length < 512) continue
  writeFileSync(
    path.join(dist, `${file}.br`),
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  )
  writeFileSync(path.join(dist, `${file}.gz`), gzipSync(bytes, { level: 9 }))
}
