// npm start: whatever is missing is fetched, installed and built; then the server runs until it is told to end.
import path from 'node:path'
import { build, modules, node, root, serve } from './setup.mjs'

const program = node()
modules(program)
build(program)
// A young generation between the two that Node would choose: short-lived rows are gone before it fills, and the process stays small.
serve(program, ['--max-semi-space-size=16', path.join(root, 'server/dist/main.js')])
