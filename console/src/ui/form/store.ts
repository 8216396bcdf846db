import { useCallback, useSyncExternalStore } from 'react'

export type Values = Readonly<Record<string, unknown>>

/** What is wrong with a field: in both languages when we say it, in one when the server did. */
export type FieldFault = { readonly zh: string; readonly en: string } | string

/**
 * The values of one form. Every field listens to itself alone, so that a key pressed in one of 60 fields draws one
 * field again.
 */
export interface FormStore {
  value(name: string): unknown
  values(): Values
  set(name: string, value: unknown): void
  /** Sets what a person typed or chose; `set` is for what the product fills in. */
  enter(name: string, value: unknown): void
  /** The fields that a person has typed into since a revision. */
  enteredSince(revision: number): readonly string[]
  /** What was there at first; a field equal to it is not changed. */
  initial(name: string): unknown
  /** Replaces what is there at first, and the value with it where the person has not changed it. */
  settle(values: Values): void
  /** Starts anew from these values. */
  reset(values: Values): void
  wrong(name: string): FieldFault | null
  setWrong(name: string, wrong: FieldFault | null): void
  wrongs(): ReadonlyMap<string, FieldFault>
  changed(): readonly string[]
  watch(name: string, listener: () => void): () => void
  watchAll(listener: () => void): () => void
  revision(): number
}

/** Whether two values mean the same; an empty text, an empty list and nothing are one. */
export function sameValue(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) =>
    value === '' || value === undefined || (Array.isArray(value) && value.length === 0) ? null : value
  const [x, y] = [plain(a), plain(b)]
  return x === y || (typeof x === 'object' && typeof y === 'object' && JSON.stringify(x) === JSON.stringify(y))
}

/** Makes a form that begins with these values. */
export function createForm(begin: Values): FormStore {
  let first: Values = { ...begin }
  let now: Record<string, unknown> = { ...begin }
  let revision = 0
  /** The revision at which a person typed into each field last. */
  const entered = new Map<string, number>()
  const problems = new Map<string, FieldFault>()
  const fields = new Map<string, Set<() => void>>()
  const all = new Set<() => void>()
  // Asked for at every drawing and every key: worked out once for each state of the form.
  let known: { readonly revision: number; readonly names: string[] } | undefined
  const changed = (): string[] => {
    if (known?.revision !== revision) {
      const names = [...new Set([...Object.keys(now), ...Object.keys(first)])]
      known = { revision, names: names.filter((name) => !sameValue(now[name], first[name])) }
    }
    return known.names
  }
  const tell = (names: Iterable<string>) => {
    revision += 1
    for (const name of names) for (const listener of fields.get(name) ?? []) listener()
    for (const listener of all) listener()
  }
  const set = (name: string, value: unknown) => {
    if (now[name] === value) return
    now = { ...now, [name]: value }
    tell([name])
  }
  return {
    value: (name) => now[name],
    values: () => now,
    set,
    enter(name, value) {
      entered.set(name, revision + 1)
      set(name, value)
    },
    enteredSince: (since) => [...entered].flatMap(([name, at]) => (at > since ? [name] : [])),
    initial: (name) => first[name],
    settle(values) {
      const kept = Object.keys(now).filter((name) => !sameValue(now[name], first[name]))
      const before = now
      first = { ...first, ...values }
      now = { ...now, ...values }
      for (const name of kept) now[name] = before[name]
      tell(Object.keys(values))
    },
    reset(values) {
      const names = new Set([...Object.keys(now), ...Object.keys(values), ...problems.keys()])
      first = { ...values }
      now = { ...values }
      problems.clear()
      entered.clear()
      tell(names)
    },
    wrong: (name) => problems.get(name) ?? null,
    setWrong(name, wrong) {
      if ((problems.get(name) ?? null) === wrong) return
      if (wrong) problems.set(name, wrong)
      else problems.delete(name)
      tell([name])
    },
    wrongs: () => problems,
    changed,
    watch(name, listener) {
      const listeners = fields.get(name) ?? new Set()
      fields.set(name, listeners.add(listener))
      return () => listeners.delete(listener)
    },
    watchAll(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
    revision: () => revision,
  }
}

/** One field's value, drawn again when it changes and only then. */
export function useValue(form: FormStore, name: string): unknown {
  const watch = useCallback((tell: () => void) => form.watch(name, tell), [form, name])
  return useSyncExternalStore(watch, () => form.value(name))
}

/** What is wrong with one field. */
export function useWrong(form: FormStore, name: string): FieldFault | null {
  const watch = useCallback((tell: () => void) => form.watch(name, tell), [form, name])
  return useSyncExternalStore(watch, () => form.wrong(name))
}

/** Whether anything differs from the beginning; draws again only when the answer turns. */
export function useDirty(form: FormStore): boolean {
  return useSyncExternalStore(form.watchAll, () => form.changed().length > 0)
}
