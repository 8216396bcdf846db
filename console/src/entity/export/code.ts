import { codeOf } from '@data-brain/contract'

interface Exported {
  readonly name: string
  /** The code that it asks for, where that is another than its own to take it out. */
  readonly code?: string
}

/** The right with which a list is taken out as a file. */
export const exportCodeOf = ({ code, name }: Exported): string => code ?? codeOf({ name }, 'export')
