// Judges what extensions declare: that their names, paths, codes and tables are their own, and that what they name is
// there. Those that are built in, before a build; and, by `npm run check`, the examples too.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { dictionaries } from '../contract/src/dictionaries.ts'
import type { Extension, MenuSeed } from '../contract/src/extension.ts'
import { extensions } from '../contract/src/extensions.generated.ts'
import { type FormKind, importCode } from '../contract/src/import/place.ts'
import { type Entity, entities, natureOf, ownerOf } from '../contract/src/index.ts'
import { buttonsOf, topMenus } from '../contract/src/menus.ts'
import { linkTableOf, tableOf } from '../server/src/database/name.ts'
import type { ExtensionServer } from '../server/src/extension.ts'
import { extensionServers } from '../server/src/extensions.generated.ts'

/** A fault in both languages. */
type Fault = readonly [en: string, zh: string]

const root = path.join(import.meta.dirname, '..')

const tablesOf = (entity: Entity): string[] => [
  tableOf(entity),
  ...Object.entries(entity.fields).flatMap(([name, { kind }]) =>
    kind === 'references' ? [linkTableOf(entity, name)] : [],
  ),
]
const everyMenu = (menus: readonly MenuSeed[]): MenuSeed[] =>
  menus.flatMap((menu) => [menu, ...everyMenu(menu.children ?? [])])
const groupsOf = (all: readonly { readonly groups: readonly MenuSeed[] }[]): MenuSeed[] =>
  everyMenu(all.flatMap(({ groups }) => groups))

/** Everything that has a name, but what this extension brings. */
function others(extension: Extension) {
  const own = new Set<unknown>([
    ...(extension.entities ?? []),
    ...(extension.dictionaries ?? []),
    ...groupsOf(extension.menus ?? []),
  ])
  const foreign = entities.filter((entity) => !own.has(entity))
  const menus = groupsOf(topMenus).filter((menu) => !own.has(menu))
  return {
    entities: foreign,
    names: new Set([
      ...foreign.flatMap((entity) => [entity.name, ...tablesOf(entity)]),
      ...dictionaries.filter((each) => !own.has(each)).map(({ code }) => code),
      ...menus.flatMap((menu) => [menu.code, ...buttonsOf(menu).map(({ code }) => code)]),
      ...topMenus
        .map(({ code }) => code)
        .filter((code) => !(extension.menus ?? []).some((top) => 'code' in top && top.code === code)),
    ]),
  }
}

/** What is wrong with an extension. `folder` is the name under which it is built in. */
export function faultsOf(extension: Extension, server?: ExtensionServer, folder = extension.name): Fault[] {
  const faults: Fault[] = []
  const say = (en: string, zh: string): void => void faults.push([en, zh])
  const { name, label, dictionaries: brought = [], jobs = {}, roles = {} } = extension
  const own = extension.entities ?? []
  const { entities: foreign, names } = others(extension)
  const prefix = `${name}_`
  const begins = (what: string, code: string): void => {
    if (!code.startsWith(prefix) || !/^[a-z][a-z0-9_]*$/.test(code))
      say(
        `${what} ${code} must begin with ${prefix} and hold small letters, digits and _`,
        `${code} 须以“${prefix}”开头，只含小写字母、数字和下划线`,
      )
    if (names.has(code)) say(`${what} ${code} is there already`, `${code} 已被占用`)
  }
  const words = (what: string, { zh, en }: { readonly zh: string; readonly en: string }): void => {
    if (!zh.trim() || !en.trim()) say(`${what} lacks words in Chinese or English`, `${what} 缺少中文或英文文字`)
  }
  const stands = (what: string, at: string, begin: string): void => {
    if (!at.startsWith(begin) || !/^\/?[a-z0-9/-]+[A-Za-z0-9/_-]*$/.test(at))
      say(`${what} ${at} must stand under ${begin}`, `${at} 须位于“${begin}”下`)
  }

  if (name !== folder) say(`it is named ${name}, and its folder ${folder}`, `名称“${name}”与目录名“${folder}”不同`)
  if (!/^[a-z][a-z0-9]{1,19}$/.test(name))
    say('its name is not 2 to 20 small letters and digits', '名称须为2到20个小写字母或数字')
  const taken = [...names].find((each) => each === name || each.startsWith(prefix))
  if (taken) say(`the name ${name} would be mistaken for ${taken}`, `名称“${name}”与已有的“${taken}”混淆`)
  words('it', label)

  const known = new Map([...foreign, ...own].map((entity) => [entity.name, entity]))
  const dictionaryCodes = new Set([...dictionaries, ...brought].map(({ code }) => code))
  for (const entity of own) {
    begins('the entity', entity.name)
    words(`the entity ${entity.name}`, entity.label)
    for (const table of tablesOf(entity)) {
      if (!table.startsWith(prefix))
        say(`the table ${table} must begin with ${prefix}`, `数据表 ${table} 须以“${prefix}”开头`)
      if (table !== entity.name && names.has(table))
        say(`the table ${table} is there already`, `数据表 ${table} 已存在`)
    }
    stands('the path', entity.path, `ext-${name}/`)
    if (entity.ownership === 'platform' || entity.shares)
      say(`the entity ${entity.name} must belong to a tenant or a school`, `实体 ${entity.name} 须属于租户或学校`)
    for (const [field, { to, dict }] of Object.entries(entity.fields)) {
      if (to && !known.has(to))
        say(
          `${entity.name}.${field} refers to ${to}, which is no entity`,
          `${entity.name}.${field} 引用了不存在的实体 ${to}`,
        )
      if (dict && !dictionaryCodes.has(dict))
        say(
          `${entity.name}.${field} is of the dictionary ${dict}, which there is not`,
          `${entity.name}.${field} 使用了不存在的字典 ${dict}`,
        )
    }
  }
  for (const { kind, columns, identity } of extension.imports ?? []) {
    const entity = own.find((each) => each.name === kind)
    if (!entity) {
      say(`it imports ${kind}, which is no entity of its own`, `它导入的 ${kind} 不是本扩展的实体`)
      continue
    }
    // Its jobs are named by it, in 32 letters at most.
    if (kind.length > 21)
      say(`what is imported has a name of 21 letters at most: ${kind}`, `可导入的实体名称不超过21个字符：${kind}`)
    const listed = columns.filter(({ part }) => part === kind).map(({ field }) => field)
    if (listed.length === 0) say(`the import of ${kind} has no column`, `${kind} 的导入没有列`)
    for (const field of listed)
      if (!isCell(entity, field))
        say(`no cell can say ${kind}.${field}: it may have no column`, `${kind}.${field} 不能由单元格填写，不能作为列`)
    for (const [field, { required, default: usual, label: called }] of Object.entries(entity.fields))
      if (required && usual === undefined && field !== ownerOf(entity)?.field && !listed.includes(field))
        say(`the import of ${kind} needs a column of ${field}`, `${kind} 的导入缺少必填列“${called.zh}”`)
    for (const field of identity.flat())
      if (!listed.includes(field))
        say(`${kind} is known by ${field}, which has no column`, `${kind} 按 ${field} 识别，但没有该列`)
  }
  for (const { code, label: called, items } of brought) {
    begins('the dictionary', code)
    words(`the dictionary ${code}`, called)
    for (const item of items) words(`${code}.${item.key}`, item.label)
  }
  const menus = groupsOf(extension.menus ?? [])
  const tops = topMenus.map(({ code }) => code)
  for (const top of extension.menus ?? [])
    if ('code' in top) begins('the top menu', top.code)
    else if (!tops.includes(top.under)) say(`there is no top menu ${top.under}`, `没有顶部菜单 ${top.under}`)
  const codes = new Set<string>()
  for (const menu of menus) {
    begins('the menu', menu.code)
    words(`the menu ${menu.code}`, menu.label)
    if (menu.path) stands('the page', menu.path, `/ext-${name}/`)
    for (const carried of menu.carries ?? [])
      if (own.every((entity) => entity.name !== carried))
        say(
          `the menu ${menu.code} carries ${carried}, which is not its own`,
          `菜单 ${menu.code} 带有不属于本扩展的 ${carried}`,
        )
    for (const button of menu.buttons ?? []) {
      begins('the permission code', button.code)
      words(`the button ${button.code}`, button.label)
    }
    for (const code of [menu.code, ...buttonsOfOwn(menu, extension)]) {
      if (codes.has(code)) say(`${code} is there twice`, `${code} 重复`)
      codes.add(code)
    }
  }
  for (const entity of own)
    if (!codes.has(`${entity.name}_view`))
      say(
        `the entity ${entity.name} stands in no menu, so that nobody can hold its permission codes`,
        `实体 ${entity.name} 未出现在任何菜单中，无人能获得其权限`,
      )
  for (const [kind, called] of Object.entries(jobs)) {
    begins('the kind of job', kind)
    words(`the kind of job ${kind}`, called)
    if (kind.length > 20) say(`the kind of job ${kind} has more than 20 letters`, `任务类型 ${kind} 超过20个字符`)
  }
  for (const code of Object.values(roles).flat())
    if (!codes.has(code))
      say(`a role is given ${code}, which is no code of its own`, `角色被授予了不属于本扩展的权限 ${code}`)

  for (const { path: at } of server?.routes ?? []) stands('the call', at, `/ext-${name}/`)
  for (const served of Object.keys(server?.serves ?? {}))
    if (own.every((entity) => entity.name !== served))
      say(`it serves calls of ${served}, which is not its own`, `它接管了不属于本扩展的 ${served} 的接口`)
  for (const kind of [
    ...(server?.work ?? []).map((work) => work.kind),
    ...(server?.recurring ?? []).map((each) => each.name),
  ])
    if (!Object.hasOwn(jobs, kind)) say(`the job ${kind} is not among its jobs`, `任务 ${kind} 未在 jobs 中声明`)
  for (const { queue } of server?.work ?? [])
    if (!queue.startsWith(prefix))
      say(`the queue ${queue} must begin with ${prefix}`, `队列 ${queue} 须以“${prefix}”开头`)
  return faults
}

/** Whether a cell can say what a field holds: whose row it is, the upload says, and what is computed nobody. */
function isCell(entity: Entity, name: string): boolean {
  const field = entity.fields[name]
  return (
    field !== undefined &&
    !field.computed &&
    name !== ownerOf(entity)?.field &&
    !['moment', 'secret', 'json'].includes(natureOf(field.kind))
  )
}

/** The permission codes that a menu of the extension brings, whether or not the registry knows its entities yet. */
function buttonsOfOwn(menu: MenuSeed, { entities: own = [], imports = [] }: Extension): string[] {
  const named = [menu.code, ...(menu.carries ?? [])]
  const verbs = (entity: Entity): string[] => [
    ...(entity.readOnly ? ['view', 'export'] : ['view', 'add', 'edit', 'delete', 'export']),
    ...(Object.values(entity.fields).some(({ kind }) => kind === 'personal') ? ['personal'] : []),
  ]
  return [
    ...own
      .filter((entity) => named.includes(entity.name))
      .flatMap((entity) => verbs(entity).map((verb) => `${entity.name}_${verb}`)),
    ...(menu.buttons ?? []).map(({ code }) => code),
    ...imports.filter(({ kind }) => named.includes(kind)).map(({ kind }) => importCode(kind as FormKind)),
  ]
}

/** The examples, which are built in by nobody, and keep to the same rules. */
async function examples(): Promise<[Extension, ExtensionServer | undefined, string][]> {
  const home = path.join(root, 'examples/extensions')
  const names = existsSync(home) ? readdirSync(home) : []
  return Promise.all(
    names
      .filter((name) => extensions.every((each) => each.name !== name))
      .map(async (name) => {
        const part = async (side: string) =>
          (await import(pathToFileURL(path.join(home, name, side, 'index.ts')).href)) as object
        const { extension } = (await part('contract')) as { extension: Extension }
        const { server } = (await part('server')) as { server?: ExtensionServer }
        return [extension, server, name] as [Extension, ExtensionServer | undefined, string]
      }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const built = JSON.parse(readFileSync(path.join(root, '.runtime/extensions.json'), 'utf8')) as { name: string }[]
  const judged: [Extension, ExtensionServer | undefined, string][] = [
    ...extensions.map((extension, at): [Extension, ExtensionServer | undefined, string] => [
      extension,
      extensionServers[at]?.server,
      built[at]?.name ?? '',
    ]),
    ...(process.argv.includes('--examples') ? await examples() : []),
  ]
  let wrong = 0
  for (const [extension, server, folder] of judged)
    for (const [en, zh] of faultsOf(extension, server, folder)) {
      console.error(`extension ${folder}: ${en} / 扩展“${folder}”：${zh}`)
      wrong += 1
    }
  if (wrong > 0) process.exit(1)
  if (process.argv.includes('--examples')) console.log(`extensions: ${judged.length} judged`)
}
