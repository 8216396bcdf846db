// Which installed packages a workspace needs when it runs, from the lock file.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.mjs'

/**
 * The packages that the workspaces need at run time, each with its folder under the root: dependencies and, where
 * installed, optional ones and peers. Our own workspaces are walked through and left out.
 */
export function productionPackages(workspaces) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const found = new Map()
  const seen = new Set()
  const visit = (location) => {
    if (seen.has(location)) return
    seen.add(location)
    const entry = packages[location]
    if (location.includes('node_modules/')) {
      const name = location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length)
      found.set(location, { name, location, version: entry.version, optional: entry.optional === true })
    }
    const needed = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies }
    for (const name of Object.keys(needed)) {
      if (entry.peerDependenciesMeta?.[name]?.optional) continue
      const at = resolve(packages, location, name)
      if (at) visit(packages[at].link ? packages[at].resolved : at)
    }
  }
  for (const workspace of workspaces) visit(workspace)
  return [...found.values()]
    .filter(({ location }) => existsSync(path.join(root, location)))
    .sort((a, b) => (a.location < b.location ? -1 : 1))
}

// As Node looks for it: beside the one who asks, then in every folder above.
function resolve(packages, from, name) {
  for (let at = from; ; ) {
    const candidate = at ? `${at}/node_modules/${name}` : `node_modules/${name}`
    if (packages[candidate]) return candidate
    if (at === '') return undefined
    const cut = at.lastIndexOf('/node_modules/')
    at = cut >= 0 ? at.slice(0, cut) : ''
  }
}
