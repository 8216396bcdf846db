import { relationOf } from './people.ts'
import { type NamedPerson, phonePattern, workplace } from './people-read.ts'

/* Cells about guardians that say something else than who and which numbers: who fetches the child, where somebody works. */

/** What stands for both parents, and what for nobody of the family, in a cell of who fetches the child. */
const bothParents = /^(父母亲?|爸妈|爸爸妈妈|双亲|父母双方|家长|家人)$/
const noRelative = /^(校车|自己|自行|自行回家|独自|步行|本人|托管|托管班|晚托|晚托班|小饭桌|其他|其他人|不需要|不用)$/

/**
 * The relations that a cell of who fetches the child tells where it names nobody: 妈妈, 爸爸/奶奶, 父母, 校车 (none of the
 * family). Undefined where somebody is named.
 */
export function fetchersOf(text: string): { readonly relations: string[]; readonly isOther: boolean } | undefined {
  const words = text
    .normalize('NFKC')
    .split(/[\s、,;/&+和或与]+/)
    .map((word) => word.replace(/接送?$/, ''))
    .filter((word) => word !== '')
  if (words.length === 0) return undefined
  const relations: string[] = []
  let isOther = false
  for (const word of words) {
    const meant = relationOf(word)
    if (meant && !meant.note) relations.push(meant.relation)
    else if (bothParents.test(word)) relations.push('51', '52')
    else if (meant || noRelative.test(word)) isOther = true
    else return undefined
  }
  return { relations, isOther }
}
/** Whether a cell of a name says 父母 and no name. */
export const saysParents = (text: string): boolean => bothParents.test(text.normalize('NFKC').trim())

/** A heading that asks for the name and the work of somebody in one cell. */
const ofWork = /(姓名|名字).*(单位|职业|职务|工作)/

/** A cell of a name and a work, whatever that is called: 张三/司机, 李四 华为, 王五（务农）138…. */
export function readWorker(text: string, heading: string): NamedPerson | undefined {
  const [, name, more = ''] = /^(\p{Script=Han}[\p{Script=Han}·]{1,8}?)\s*[\s/、,;:(|—-]\s*(.+?)\)?$/u.exec(text) ?? []
  if (!name || !ofWork.test(heading) || relationOf(name) || relationOf(more)) return undefined
  const phones = [...more.matchAll(new RegExp(phonePattern, 'g'))].map(([found]) => found.replace(/\s/g, ''))
  const work = more
    .replace(new RegExp(phonePattern, 'g'), '')
    .replace(/^[\s/、,;:()|—-]+|[\s/、,;:()|—-]+$/g, '')
    .trim()
  if (/\d{5}/.test(work) || work.length > 40) return undefined
  const isPlace = /单位/.test(heading) || workplace.test(work)
  return { name, phones, ...(work === '' ? {} : isPlace ? { workUnit: work } : { position: work }) }
}
