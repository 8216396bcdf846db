import { storedKey } from '../ui/stored.ts'
import { sessionStore } from './session.ts'

/** The whole key under which session storage keeps the draft of a form: bound to the user, so nobody else is offered it. */
export function draftKey(form: string, id: string | undefined): string {
  const user = sessionStore.get()
  return storedKey(`draft:${user?.userId ?? ''}:${user?.tenantId ?? ''}:${form}:${id ?? 'new'}`)
}

const keeping = new Set<() => boolean>()

/**
 * Hears when what was typed until now must be kept, because its form is about to go, and answers whether all of it is;
 * returns how to stop.
 */
export function onKeepDrafts(keep: () => boolean): () => void {
  keeping.add(keep)
  return () => keeping.delete(keep)
}

/**
 * Keeps every draft as it stands: before a lock, before a reload, and before a session that has ended leaves the page.
 * Tells whether there is one and nothing of it is missing.
 */
export function keepDraftsNow(): boolean {
  const kept = [...keeping].map((keep) => keep())
  return kept.length > 0 && kept.every(Boolean)
}
