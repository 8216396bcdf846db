import { memberParts, type Part } from '@data-brain/contract/import/student-form'
import type { Values } from '../../../entity/check.ts'

/*
 * 同户籍地 or 同左 in a cell of addresses says where the address stands, and is none itself.
 */

const fields = ['hukouAddress', 'homeAddress', 'familyAddress', 'mailAddress'] as const
type AddressField = (typeof fields)[number]

const kind = '(户籍|户口|户口本|户口簿|现|现居|现居住|居住|家庭|家|通信|通讯)?'
const place = '(?:所在|登记)?(?:地址|住址|住地|居住地|地)?'
const form = new RegExp(
  `^(?:(?:同|与|和|跟)(上|左|前)?${kind}${place}|(?:同|与|和|跟)?${kind}${place}(?:一致|相同|一样|同上|同左))(?:一致|相同|一样)?$`,
)

/** The addresses that a word for one means, the likeliest first. */
const meant = (word: string): readonly AddressField[] => {
  if (/^户/.test(word)) return ['hukouAddress']
  if (/^[通]/.test(word)) return ['mailAddress']
  return word === '家' || word === '家庭' ? ['familyAddress', 'homeAddress'] : ['homeAddress', 'familyAddress']
}

/** Where the address stands that a cell refers to: the named ones, or those before it where none is named. */
function refersTo(text: unknown, field: AddressField): readonly AddressField[] | undefined {
  const found = typeof text === 'string' ? form.exec(text.normalize('NFKC').replace(/[\s()]/g, '')) : null
  if (!found) return undefined
  const word = found[2] ?? found[3]
  return word ? meant(word) : fields.filter((each) => each !== field)
}

/** Puts the address in the place of every cell that only says that it is the same as another. */
export function sameAddresses({ detail, ...drafts }: Record<Part, Values>): void {
  const own = Object.fromEntries(fields.map((field) => [field, detail[field]]))
  const stands = (asked: readonly AddressField[]): unknown =>
    asked.map((each) => own[each]).find((text, at) => text !== undefined && !refersTo(text, asked[at]!))
  for (const field of fields) {
    const asked = refersTo(own[field], field)
    const address = asked && stands(asked)
    if (address !== undefined) detail[field] = address
  }
  for (const part of memberParts) {
    const asked = refersTo(drafts[part].address, 'hukouAddress')
    const address = asked && stands(['homeAddress', 'familyAddress', 'hukouAddress'])
    if (address !== undefined) drafts[part].address = address
  }
}
