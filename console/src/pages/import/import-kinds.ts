import { importNames } from 'virtual:entities'
import { entityOf, ownerOf } from '@data-brain/contract'
import { importCode } from '@data-brain/contract/import/place'
import { createContext, useContext, useMemo } from 'react'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { addWords, hasWords, type Translate, useT } from '../../ui/words.ts'
import { centre, importKinds, importPath, type Kind, listKinds } from './place.ts'

export type { Kind } from './place.ts'

addWords({
  ...Object.fromEntries(importKinds.map((kind) => [`import.kind.${kind}`, importNames[kind]!])),
  // A column is of a row: the groups of columns are called as that is.
  ...Object.fromEntries(listKinds.map((kind) => [`import.part.${kind}`, entityOf(kind).label])),
})

/** What a batch brought in: the server lists none but of kinds that stand in both. */
export const kindOf = ({ kind }: { readonly kind: string }): Kind => kind as Kind

/** Entities whose rows an import makes, changes or counts beside those of its own. */
const alsoChanged: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  student: ['studentdetail', 'studentparents', 'studentclass', 'schoolclass'],
  studentparents: ['student'],
  schoolclassroom: ['schoolfloor'],
  teacherclass: ['schoolclass', 'schoolsubject'],
  classschedule: ['timetableplan', 'schoolsubject'],
}

/** Entities whose rows an import makes, changes or counts. */
export const changedBy = (kind: Kind): readonly string[] => [kind, ...(alsoChanged[kind] ?? [])]

/** Whether a file belongs to a school. */
export const inSchool = (kind: Kind): boolean => ownerOf(entityOf(kind)) !== undefined

/** The term whose rows a file is about: what its entity belongs to, the school year for pupils and their classes. */
export function termOf(kind: Kind): 'schoolsemester' | 'schoolyear' | undefined {
  if (kind === 'student' || kind === 'studentparents') return 'schoolyear'
  const { fields } = entityOf(kind)
  if ('semesterId' in fields) return 'schoolsemester'
  return 'yearId' in fields ? 'schoolyear' : undefined
}

/** Where the import of a kind stands. */
export function importPathOf(kind: Kind): string | undefined {
  return kind === centre ? pathOf('import') : importPath(kind)
}

const KindContext = createContext<Kind>(centre)
export const KindProvider = KindContext.Provider

/** What the page around brings in. */
export const useKind = (): Kind => useContext(KindContext)

/** The words of an import: a kind's own where it has some, else those of all. */
export const wordsOf =
  (t: Translate, kind: Kind): Translate =>
  (key, values) => {
    const ways = [kind, ...(kind === centre || kind === 'user' ? [] : ['entity'])].map((way) =>
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
  return importKinds.filter((kind) => can(importCode(kind)) && importPathOf(kind))
}
