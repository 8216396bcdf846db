import { deskDictionaries } from './dictionaries/desk.ts'
import type { Dictionary } from './dictionaries/dictionary.ts'
import { nation } from './dictionaries/nation.ts'
import { nationality } from './dictionaries/nationality.ts'
import { personDictionaries } from './dictionaries/person.ts'
import { schoolDictionaries } from './dictionaries/school.ts'
import { studentDictionaries } from './dictionaries/student.ts'
import { systemDictionaries } from './dictionaries/system.ts'

export type { Dictionary } from './dictionaries/dictionary.ts'

/** Every dictionary that the product ships, each code once. */
export const dictionaries: readonly Dictionary[] = [
  ...systemDictionaries,
  ...personDictionaries,
  nation,
  nationality,
  ...schoolDictionaries,
  ...studentDictionaries,
  ...deskDictionaries,
]

const byCode = new Map(dictionaries.map((dictionary) => [dictionary.code, dictionary]))

/** The dictionary with that code, if it is shipped. */
export const dictionaryOf = (code: string): Dictionary | undefined => byCode.get(code)
