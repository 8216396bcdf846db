import { useCallback, useMemo, useState } from 'react'
import type { UnsavedWork } from '../ui/dialog/dialog.tsx'
import { draftKey } from './draft.ts'

/** What was typed into a dialog, and over what. */
interface Typed {
  readonly over: string
  readonly text: string
}

function read(key: string): Typed | null {
  const text = sessionStorage.getItem(key)
  if (text === null) return null
  try {
    const { over, text: typed } = JSON.parse(text) as Partial<Typed>
    return typeof over === 'string' && typeof typed === 'string' ? { over, text: typed } : null
  } catch {
    // Written by something else: as good as absent.
    return null
  }
}

function write(key: string, typed: Typed | null): void {
  try {
    if (typed) sessionStorage.setItem(key, JSON.stringify(typed))
    else sessionStorage.removeItem(key)
  } catch {
    // No room left: the dialog itself still holds everything.
  }
}

export interface DialogDraft<T> {
  /** What the dialog shows; undefined while what is stored is not known yet. */
  readonly value: T | undefined
  readonly put: (next: T) => void
  /** Goes on over what is stored by now, from what the dialog is to show over it. */
  readonly meet: (stored: T, next: T) => void
  /** Forgets what was typed: it is saved. */
  readonly done: () => void
  readonly unsaved: UnsavedWork
}

/** What was ticked and unticked since `first`, done to what somebody else has made of it meanwhile. */
export const metTicks = (
  first: ReadonlySet<string>,
  ticked: ReadonlySet<string>,
  now: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set([...[...now].filter((id) => ticked.has(id) || !first.has(id)), ...[...ticked].filter((id) => !first.has(id))])

/**
 * What somebody types into a small dialog, kept until it is saved or thrown away on purpose: a reload, or opening the
 * dialog again, brings it back. `stored` is what it begins with, as plain data; where that is another one by then, what
 * was typed over the old is dropped rather than written over the new.
 */
export function useDialogDraft<T>(form: string, stored: T | undefined): DialogDraft<T> {
  const key = draftKey(`dialog:${form}`, undefined)
  const over = stored === undefined ? undefined : JSON.stringify(stored)
  const [kept, setKept] = useState<{ key: string; typed: Typed | null; found: boolean }>(() => {
    const typed = read(key)
    return { key, typed, found: typed !== null }
  })
  const text = kept.key === key && kept.typed?.over === over ? kept.typed?.text : undefined
  const value = useMemo(
    () => (text === undefined ? (over === undefined ? undefined : (JSON.parse(over) as T)) : (JSON.parse(text) as T)),
    [text, over],
  )
  const keep = useCallback(
    (typed: Typed | null, found: boolean) => {
      write(key, typed)
      setKept({ key, typed, found })
    },
    [key],
  )
  const meet = useCallback(
    (stored: T, next: T) => {
      const [over, text] = [JSON.stringify(stored), JSON.stringify(next)]
      keep(text === over ? null : { over, text }, false)
    },
    [keep],
  )
  const put = useCallback((next: T) => over !== undefined && meet(JSON.parse(over) as T, next), [over, meet])
  const done = useCallback(() => keep(null, false), [keep])
  const dirty = text !== undefined
  const unsaved = useMemo(() => ({ dirty, restored: dirty && kept.found, discard: done }), [dirty, kept.found, done])
  return { value, put, meet, done, unsaved }
}
