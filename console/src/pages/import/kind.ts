import { createContext, useContext, useMemo } from 'react'
import { hasWords, type Translate, useT } from '../../ui/words.ts'

/** What is brought in out of a file. */
export type Kind = 'student' | 'user'

interface Manner {
  /** Where the server's calls begin. */
  readonly calls: string
  /** The permission to import. */
  readonly code: string
  /** The list in which the rows are found afterwards. */
  readonly list: string
  /** Entities whose rows an import makes, changes or counts. */
  readonly touched: readonly string[]
}

export const manners: Readonly<Record<Kind, Manner>> = {
  student: {
    calls: 'blade-user/import',
    code: 'student_import',
    list: 'student',
    touched: ['student', 'studentdetail', 'studentparents', 'studentclass', 'schoolclass'],
  },
  user: { calls: 'blade-user/import-user', code: 'user_import', list: 'user', touched: ['user'] },
}

const KindContext = createContext<Kind>('student')
export const KindProvider = KindContext.Provider

/** What the page around brings in. */
export const useKind = (): Kind => useContext(KindContext)

/** The words of the import centre: a kind's own where it has some, else those of all. */
export function useImportT(): Translate {
  const t = useT()
  const kind = useKind()
  return useMemo(() => {
    const translate: Translate = (key, values) => {
      const own = key.replace(/^import\./, `import.${kind}.`)
      return t(own !== key && hasWords(own) ? own : key, values)
    }
    return translate
  }, [t, kind])
}
