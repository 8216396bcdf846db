// npm start: whatever is missing is fetched, installed and built; then the server runs until it is told to end.
import path from 'node:path'
import { build, modules, node, root, serve } from './setup.mjs'

const program = node()
modules(program)
build(program)
serve(program, ['--enable-source-maps', path.join(root, 'server/dist/main.js')])
