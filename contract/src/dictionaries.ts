import { deskDictionaries } from './dictionaries/desk.ts'
import type { Dictionary } from './dictionaries/dictionary.ts'
import { nation } from './dictionaries/nation.ts'
import { nationality } from './dictionaries/nationality.ts'
import { personDictionaries } from './dictionaries/person.ts'
import { schoolDictionaries } from './dictionaries/school.ts'
import { studentDictionaries } from './dictionaries/student.ts'
import { systemDictionaries } from './dictionaries/system.ts'
import { extensions } from './extensions.generated.ts'
import { entityOfForm, importKinds } from './import/all.ts'

export type { Dictionary } from './dictionaries/dictionary.ts'

const shipped: readonly Dictionary[] = [
  ...systemDictionaries,
  ...personDictionaries,
  nation,
  nationality,
  ...schoolDictionaries,
  ...studentDictionaries,
  ...deskDictionaries,
]

/** The kinds of job by which rows of an entity are brought in. */
const jobsOfImports = importKinds.flatMap((kind) => {
  const { zh, en } = entityOfForm(kind).label
  return [
    { key: `${kind}-reading`, label: { zh: `${zh}导入：读取`, en: `${en} import (read)` } },
    { key: `${kind}-checking`, label: { zh: `${zh}导入：检查`, en: `${en} import (check)` } },
    { key: `${kind}-committing`, label: { zh: `${zh}导入：入库`, en: `${en} import (commit)` } },
    { key: `${kind}-undoing`, label: { zh: `${zh}导入：撤销`, en: `${en} import (undo)` } },
  ]
})

/** The kinds of job that extensions bring, as entries of the product's own dictionary. */
const jobsOfExtensions = extensions.flatMap(({ jobs = {} }) =>
  Object.entries(jobs).map(([key, label]) => ({ key, label })),
)

/** Every dictionary that the product ships, each code once; those of extensions come last. */
export const dictionaries: readonly Dictionary[] = [
  ...shipped.map((each) =>
    each.code === 'job_kind' ? { ...each, items: [...jobsOfImports, ...each.items, ...jobsOfExtensions] } : each,
  ),
  ...extensions.flatMap((extension) => extension.dictionaries ?? []),
]

const byCode = new Map(dictionaries.map((dictionary) => [dictionary.code, dictionary]))

/** The dictionary with that code, if it is shipped. */
export const dictionaryOf = (code: string): Dictionary | undefined => byCode.get(code)
