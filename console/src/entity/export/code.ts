import { codeOf } from '@data-brain/contract'

interface Exported {
  readonly name: string
  /** Whoever has its page may take it out: it holds nothing but their own. */
  readonly isOwn?: boolean
}

/** Whether a list may be taken out as a file. */
export const mayExport = (can: (code: string) => boolean, { name, isOwn = false }: Exported): boolean =>
  isOwn || can(codeOf({ name }, 'export'))
