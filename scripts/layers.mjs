// The shape of the code, kept: imports only go up these lists, never sideways or down, and a module is entered through
// its face (modules/<name>/index.ts; seed stands beside the modules and has one too). A run that read no files, or found a folder that it does not know, fails.
//   node scripts/layers.mjs [folder]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** From the foundation upwards; the names on one line are one layer. */
const layers = {
  server: [
    ['start-error', 'data-folder', 'environment', 'secrets', 'kernel', 'database', 'startup-responder'],
    ['entity'],
    ['modules', 'seed'],
    ['extension'],
    ['extensions.generated'],
    ['extensions'],
    ['api-page', 'backup', 'console', 'health', 'metrics', 'openapi'],
    ['app'],
    ['start'],
    ['main', 'admin', 'openapi-file'],
  ],
  console: [
    ['locales', 'ui', 'http'],
    ['session'],
    ['entity'],
    ['extension'],
    ['extensions.generated'],
    ['pages'],
    ['shell'],
    ['app'],
    ['main'],
  ],
}

/** Layers whose parts may use one another freely: the foundation is one thing in several folders. */
const whole = { server: [0], console: [0] }

const source = /\.(ts|tsx|mts)$/
const imported =
  /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:[\w*${},\s]+?\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

/** The sources below a folder. */
export function filesOf(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : filesOf(at)
    return source.test(entry.name) ? [at] : []
  })
}

/** Text with comments taken out, so that an import in an example counts for nothing. */
const code = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

const isTest = (file) => /\.test\.tsx?$/.test(file)
/** What takes extensions in reaches out of the sources; where to is judged in scripts/extensions.mjs. */
const isGenerated = (file) => file.endsWith('.generated.ts')

/** Reads the code under a folder and says what breaks the rules. */
export function checkLayers(root) {
  const errors = []
  const read = { contract: 0, server: 0, console: 0 }

  for (const file of filesOf(path.join(root, 'contract')).filter(
    (file) => !file.includes(`${path.sep}test${path.sep}`) && !isGenerated(file),
  )) {
    read.contract++
    for (const { name } of importsOf(file)) {
      if (name.startsWith('.')) {
        if (!inside(path.join(root, 'contract'), target(file, name)))
          errors.push(`${show(file)} leaves the contract: ${name}`)
      } else if (!/^(typebox(\/|$)|@data-brain\/contract(\/|$))/.test(name)) {
        errors.push(`${show(file)} imports ${name}; the contract imports nothing but typebox`)
      }
    }
  }

  for (const side of ['server', 'console']) {
    const base = path.join(root, side, 'src')
    for (const file of filesOf(base).filter((file) => !isTest(file) && !isGenerated(file))) {
      read[side]++
      const from = placeOf(side, base, file)
      if (!from) {
        errors.push(`${show(file)} is in no layer: give it a place in scripts/layers.mjs`)
        continue
      }
      for (const { name, bound } of importsOf(file)) errors.push(...judge(side, base, file, from, name, bound))
    }
  }

  for (const [part, count] of Object.entries(read)) if (count === 0) errors.push(`no files were read in ${part}`)
  return { read, errors }

  function show(file) {
    return path.relative(root, file)
  }

  function judge(side, base, file, from, name, bound) {
    const other = side === 'server' ? 'console' : 'server'
    if (name.startsWith(`@data-brain/${other}`)) return [`${show(file)} imports the ${other}: ${name}`]
    if (!name.startsWith('.')) return []
    const at = target(file, name)
    if (inside(path.join(root, other), at)) return [`${show(file)} imports the ${other}: ${name}`]
    if (!inside(base, at)) {
      const data = inside(path.join(root, side), at) && at.endsWith('package.json')
      return data ? [] : [`${show(file)} leaves ${side}/src: ${name}`]
    }
    const to = placeOf(side, base, at)
    if (!to) return [`${show(file)} imports ${name}, which is in no layer`]
    if (to.layer > from.layer) return [`${show(file)} imports downwards: ${name} (${from.part} may not use ${to.part})`]
    if (to.part === from.part || (whole[side].includes(to.layer) && to.layer === from.layer)) return []
    if (side === 'console' && to.module) {
      if (to.face || !bound || (to.layer === from.layer && !sideways.has(layers.console[to.layer][0]))) return []
      return [`${show(file)} enters ${to.part} beside its face: ${name} (use its index.ts)`]
    }
    if (to.module) return to.face ? [] : [`${show(file)} enters ${to.part} beside its face: ${name} (use its index.ts)`]
    if (to.layer === from.layer)
      return [`${show(file)} imports sideways: ${name} (${from.part} may not use ${to.part})`]
    return []
  }
}

/** What a file imports, and whether it takes names from there. */
export function importsOf(file) {
  return [...code(readFileSync(file, 'utf8')).matchAll(imported)].map(([text, one, two]) => ({
    name: one ?? two,
    bound: one !== undefined && /\sfrom\s/.test(text),
  }))
}

const target = (file, name) => path.resolve(path.dirname(file), name)
const inside = (folder, at) => at === folder || at.startsWith(folder + path.sep)

/** Layers of the console whose modules enter one another by their faces as well. */
const sideways = new Set(['pages'])

/** The layer of a file, the part of it that the file belongs to, and whether it is the face of a module. */
function placeOf(side, base, file) {
  const [first = '', second = '', ...rest] = path.relative(base, file).split(path.sep)
  const name = first.replace(source, '')
  const layer = layers[side].findIndex((names) => names.includes(name))
  if (layer < 0) return undefined
  if (side === 'server' && name === 'modules') {
    const face = rest.length === 0 || (rest.length === 1 && rest[0] === 'index.ts')
    return { layer, part: `modules/${second.replace(source, '')}`, module: true, face }
  }
  if (side === 'console' && (name === 'pages' || name === 'entity')) {
    const face = rest.length === 1 && rest[0] === 'index.ts'
    return { layer, part: `${name}/${second.replace(source, '')}`, module: true, face }
  }
  if (side === 'server' && name === 'seed') return { layer, part: name, module: true, face: second === 'index.ts' }
  return { layer, part: name, module: false, face: true }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { read, errors } = checkLayers(path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..')))
  for (const error of errors) console.error(error)
  const counts = Object.entries(read).map(([part, count]) => `${part} ${count}`)
  console.log(`layers: files read: ${counts.join(', ')}; ${errors.length} broken rules`)
  process.exitCode = errors.length === 0 ? 0 : 1
}
