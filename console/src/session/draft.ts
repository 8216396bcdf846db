import { storedKey } from '../ui/stored.ts'
import { sessionStore } from './session.ts'

/** The whole key under which session storage keeps the draft of a form: bound to the user, so nobody else is offered it. */
export function draftKey(form: string, id: string | undefined): string {
  const user = sessionStore.get()
  return storedKey(`draft:${user?.userId ?? ''}:${user?.tenantId ?? ''}:${form}:${id ?? 'new'}`)
}
