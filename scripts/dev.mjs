// npm run dev: server and console from their sources, at one address. What is saved is what runs: the console's pages
// change in place, the server starts again. PORT, DATA_DIR, DEMO and the other settings are those of npm start.
import { spawn, spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { builtIn } from './extensions.mjs'
import { root } from './root.mjs'

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

const port = process.env.PORT || '8000'
const host = process.env.HOST || '127.0.0.1'
const serverPort = String(await freePort())
const address = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`

const begin = (args, options) => spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })

let ending = false
function end(code) {
  if (ending) return
  ending = true
  process.exitCode = code
  page.kill('SIGTERM')
  server?.kill('SIGTERM')
}

// It listens at the address, or fails where that is taken, before a database starts.
const vite = path.join(root, 'node_modules/vite/bin/vite.js')
const page = begin([vite, '--port', port, '--host', host, '--strictPort', '--clearScreen', 'false'], {
  cwd: path.join(root, 'console'),
  env: { ...process.env, API: `http://127.0.0.1:${serverPort}` },
})
page.once('exit', (code) => end(code ?? 1))

// Not Node's own --watch: it speaks to the server's worker threads in messages that they take for their own.
let server = null
let changed = false
function startServer() {
  changed = false
  server = begin([path.join(root, 'server/src/main.ts')], {
    cwd: process.cwd(),
    env: { ...process.env, PORT: serverPort, HOST: '127.0.0.1', PUBLIC_URL: process.env.PUBLIC_URL || address },
  })
  server.once('exit', () => {
    server = null
    if (ending) process.exit()
    else if (changed) startServer()
    else process.stdout.write('the server ended; it starts again when a file is saved\n')
  })
}
startServer()

let soon
const again = () => {
  clearTimeout(soon)
  // An editor writes a file in several steps.
  soon = setTimeout(() => {
    if (ending) return
    changed = true
    if (server) server.kill('SIGTERM')
    else startServer()
  }, 150)
}
for (const sources of ['contract/src', 'server/src']) watch(path.join(root, sources), { recursive: true }, again)
// Extensions: their migrations stand in a generated file, and those that lie elsewhere are copied.
for (const { place } of builtIn())
  watch(place, { recursive: true }, (_, file) => {
    const { status } = spawnSync(process.execPath, [path.join(root, 'scripts/extensions.mjs')], { stdio: 'inherit' })
    if (status === 0 && !file?.startsWith('console')) again()
  })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))
