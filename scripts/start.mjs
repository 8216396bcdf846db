// npm start: whatever is missing is fetched, installed and built; then the server runs until it is told to end.
import path from 'node:path'
import { takeIn } from './extensions.mjs'
import { modules } from './install.mjs'
import { root } from './root.mjs'
import { build, node, serve } from './setup.mjs'

const program = node()
modules(program, 'run')
takeIn()
build(program)
// A young generation between the two that Node would choose: short-lived rows are gone before it fills. A bound for the
// old one: without it, Node takes a large machine for leave to clean up seldom, and the process grows to half as much again.
serve(program, ['--max-semi-space-size=16', '--max-old-space-size=1024', path.join(root, 'server/dist/main.js')])
