import type { FormKind } from '@data-brain/contract/import/all'
import { importCode } from '@data-brain/contract/import/place'
import { createContext, useContext, useMemo } from 'react'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { hasWords, type Translate, useT } from '../../ui/words.ts'
import { type EntityKind, entityImportPath, isEntityKind, userImportPath } from './place.ts'

/** What is brought in out of a file. */
export type Kind = FormKind

interface Manner {
  /** The list in which the rows are found afterwards. */
  readonly list: string
  /** Entities whose rows an import makes, changes or counts. */
  readonly touched: readonly string[]
}

const ofEntity = (entity: EntityKind, ...more: string[]): Manner => ({
  list: entity,
  touched: [entity, ...more],
})

export const importKinds: Readonly<Record<Kind, Manner>> = {
  student: {
    list: 'student',
    touched: ['student', 'studentdetail', 'studentparents', 'studentclass', 'schoolclass'],
  },
  user: { list: 'user', touched: ['user'] },
  studentparents: ofEntity('studentparents', 'student'),
  schoolclass: ofEntity('schoolclass'),
  schoolclassroom: ofEntity('schoolclassroom', 'schoolfloor'),
  teacherclass: ofEntity('teacherclass', 'schoolclass', 'schoolsubject'),
  classschedule: ofEntity('classschedule', 'timetableplan', 'schoolsubject'),
}

/** Where the import of a kind stands. */
export function importPathOf(kind: Kind): string | undefined {
  if (kind === 'user') return userImportPath
  return kind === 'student' ? pathOf('import') : entityImportPath(kind)
}

const KindContext = createContext<Kind>('student')
export const KindProvider = KindContext.Provider

/** What the page around brings in. */
export const useKind = (): Kind => useContext(KindContext)

/** The words of an import: a kind's own where it has some, else those of all. */
export const wordsOf =
  (t: Translate, kind: Kind): Translate =>
  (key, values) => {
    const ways = [kind, ...(isEntityKind(kind) ? ['entity'] : [])].map((way) =>
      key.replace(/^import\./, `import.${way}.`),
    )
    return t(ways.find((way) => way !== key && hasWords(way)) ?? key, values)
  }

/** The words of what the page around brings in. */
export function useImportT(): Translate {
  const t = useT()
  const kind = useKind()
  return useMemo(() => wordsOf(t, kind), [t, kind])
}

/** What this person may bring in. */
export function useKinds(): readonly Kind[] {
  const can = useCan()
  return (Object.keys(importKinds) as Kind[]).filter((kind) => can(importCode(kind)) && importPathOf(kind))
}
