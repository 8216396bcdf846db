import { quoted } from './print.ts'
import type { CodeTable } from './table.ts'

/*
 * Lines that a new entity has in files that are there: its place in the list of entities, in the menus, among the modules
 * and the pages. Each takes the text of the file and answers it with the lines; a file of another form is an error.
 */

/** A file has not the form that is expected. */
export class UnknownForm extends Error {}

const changed = (path: string, before: string, after: string): string => {
  if (after === before) throw new UnknownForm(`${path} has not the form that is expected here`)
  return after
}

/** Puts an import of the text in the order that the formatter keeps: by path. */
function withImport(text: string, line: string): string {
  const pathIn = (each: string): string => /from '([^']+)'/.exec(each)?.[1] ?? ''
  const key = (path: string): string => `${path.startsWith('..') ? 0 : path.startsWith('.') ? 1 : -1}${path}`
  const own = key(pathIn(line))
  const lines = text.split('\n')
  const after = lines.findLastIndex(
    (each) => each.startsWith('import ') && key(pathIn(each)).localeCompare(own, 'en') < 0,
  )
  return lines.toSpliced(after + 1, 0, line).join('\n')
}

export const entityList = 'contract/src/entities/index.ts'
export const menuFile = 'contract/src/menus.ts'
export const moduleList = 'server/src/modules/all.ts'
export const routeFile = 'console/src/shell/routes.ts'
export const pageFile = 'console/src/shell/pages.tsx'

export type Edit = (text: string, table: CodeTable) => string

/** The list of entities: the import, the export in its order, and a place at the end of those of the core. */
const inEntities: Edit = (text, { name, area }) => {
  const imported = withImport(text, `import { ${name} } from './${area}/${name}.ts'`)
  const exported = imported.replace(/\nexport \{\n((?: {2}\w+,\n)+)\}/, (_whole, names: string) => {
    const all = [...names.trimEnd().split('\n'), `  ${name},`].sort((a, b) => (a < b ? -1 : 1))
    return `\nexport {\n${all.join('\n')}\n}`
  })
  return changed(
    entityList,
    exported,
    exported.replace('\n  ...extensions.flatMap((extension) => extension.entities', (end) => `\n  ${name},${end}`),
  )
}

/** An entry of the menus, first in the first group of the area's top menu. */
const inMenus: Edit = (text, { name, en, area }) => {
  const group = text.indexOf('children: [', Math.max(0, text.indexOf(`code: 'top-${area}'`)))
  const at = group + 'children: ['.length
  return changed(
    menuFile,
    text,
    group < 0
      ? text
      : `${text.slice(0, at)}\n          page('${name}', ${quoted(en)}, '${area}', 'table'),${text.slice(at)}`,
  )
}

const inModules: Edit = (text, { name }) => {
  const imported = withImport(text, `import { ${name}Module } from './${name}/index.ts'`)
  return changed(moduleList, imported, imported.replace(/\n\]\n$/, `\n  ${name}Module,\n]\n`))
}

const inRoutes: Edit = (text, { name }) =>
  changed(
    routeFile,
    text,
    text.replace('\n] as const\nconst otherPages', (end) => `\n  '${name}',${end}`),
  )

const inPages: Edit = (text, { name }) =>
  changed(
    pageFile,
    text,
    text.replace(
      '\n  info: () => import',
      (next) => `\n  ${name}: inAntd(() => import('../pages/${name}/page.tsx')),${next}`,
    ),
  )

/** The lines of each side, by file. */
export const contractEdits: Readonly<Record<string, Edit>> = { [entityList]: inEntities, [menuFile]: inMenus }
export const serverEdits: Readonly<Record<string, Edit>> = { [moduleList]: inModules }
export const consoleEdits: Readonly<Record<string, Edit>> = { [routeFile]: inRoutes, [pageFile]: inPages }
