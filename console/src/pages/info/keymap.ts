import { everyBinding } from '../../entity/list/index.ts'
import { isChoice, type Keymap, keysOf, ownKey } from '../../ui/keymap.ts'
import { type Binding, scopesNow } from '../../ui/keys.ts'

/** Keys of one part of the console that work at the same time. */
export interface KeyGroup {
  readonly name: string
  readonly bindings: readonly Binding[]
}

const anywhere = 'keys.anywhere'

/** What keys do, part by part: the shell says itself what it hears; of lists and records there may be none on the page. */
export function keyGroups(): KeyGroup[] {
  const { list, record } = everyBinding()
  return [
    { name: anywhere, bindings: scopesNow().find(({ name }) => name === anywhere)?.bindings ?? [] },
    { name: 'keys.list', bindings: list },
    { name: 'keys.record', bindings: record },
  ]
}

export interface KeyRow {
  readonly label: string
  /** The key that ships with the console. */
  readonly shipped: string
}

/** The rows of each part that have a key which may be another; what two parts have alike stands in the first. */
export function rowsOf(groups: readonly KeyGroup[]): { readonly name: string; readonly rows: readonly KeyRow[] }[] {
  const seen = new Set<string>()
  return groups.map(({ name, bindings }) => ({
    name,
    rows: bindings.flatMap(({ keys, label }): KeyRow[] => {
      const shipped = ownKey(keys)
      if (label === undefined || shipped === undefined || seen.has(label)) return []
      seen.add(label)
      return [{ label, shipped }]
    }),
  }))
}

/**
 * Ctrl+W/T/N/1–9 and what else a browser answers itself, or that every text field needs; Alt+D/E/F open its menus.
 * Ctrl+Alt types signs on many keyboards.
 */
const browser =
  /^Mod\+(Key[CDFHJLNQRTVWX]|Digit[0-9])$|^Mod\+(Alt\+)?Shift\+|^Mod\+Alt\+|^Alt\+(Shift\+)?Key[DEF]$|^(.+\+)?F(1|3|5|7|10|11|12)$|^(Mod|Alt)\+(.+\+)?F[0-9]+$/

/** Forms save with it, over whatever page. */
const formKeys: Readonly<Record<string, string>> = { 'Mod+KeyS': 'keys.save' }

const meets = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `)

export type KeyRefusal =
  | { readonly why: 'not' | 'browser' }
  | { readonly why: 'taken'; readonly by: string | undefined }

/** Why keys cannot do what `label` names; undefined where they can. */
export function refusalOf(
  groups: readonly KeyGroup[],
  map: Keymap,
  label: string,
  keys: string,
): KeyRefusal | undefined {
  if (!isChoice(keys)) return { why: 'not' }
  if (browser.test(keys)) return { why: 'browser' }
  const form = formKeys[keys]
  if (form) return { why: 'taken', by: form }
  const inside = groups.filter(({ bindings }) => bindings.some((one) => one.label === label))
  const atOnce = groups.filter(
    (group) => group.name === anywhere || inside.some(({ name }) => name === anywhere || name === group.name),
  )
  for (const { bindings } of atOnce)
    for (const binding of bindings)
      if (binding.label !== label && keysOf(binding.keys, binding.label, map).some((each) => meets(each, keys)))
        return { why: 'taken', by: binding.label }
  return undefined
}
