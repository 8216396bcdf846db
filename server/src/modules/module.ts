import type { RawResponse, Route } from '../kernel/route.ts'

/** What a module shows of itself: its routes, the rules it adds, and which generic calls it serves itself. */
export interface Module {
  readonly routes?: readonly Route[]
  addRules?(): void
  /** How an address below one of the module's own is answered that is none: a foreign binding has words of its own. */
  readonly unknown?: { readonly under: string; readonly told: RawResponse }
  /** Generic calls of an entity (by its name) that this module serves in its own way. */
  readonly serves?: Readonly<
    Record<string, readonly ('list' | 'detail' | 'submit' | 'remove' | 'select' | 'history' | 'personal')[]>
  >
}
