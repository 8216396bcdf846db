import type { Words } from '@data-brain/contract'
import type { Part } from '@data-brain/contract/import/student-form'
import type { Values } from '../../../entity/check.ts'
import type { ModelField } from '../../../entity/model.ts'
import { relationOf } from '../student/people.ts'
import { isMember } from './row.ts'

/* What becomes of a cell that its field cannot hold. */

/** What says of pupils whether they are registered here, and not where. */
export const residence =
  /^(本|外|外来|非本|沪|京|津|渝|非沪|非京|非津|非渝)(省|市|区|县|镇|乡|村|地|省市|县市|区县|街道)?(户籍|户口|籍|生|人|人口)?$/

/** What an address has and the name of a county has not. */
export const isAddress = /^(?=.{4,})(?!\d+$).*(\d|[路街巷弄村组号幢栋室镇乡]|社区|小区)/

/** Who keeps the register of residents, and not where that is: 城关派出所. */
export const registrar = /^\p{Script=Han}{0,12}(?:派出所|公安分?局|警务[室站])$/u

/** A cell that cannot be read is a fault, unless it has a place where its words stand as they are. */
export function unreadable(
  key: string,
  text: string,
  field: ModelField,
  drafts: Record<Part, Values>,
  words: Words,
  add: (key: string, words: Words) => void,
): void {
  const [part = ''] = key.split('.')
  // Whatever else somebody is to the child is said in words.
  if (isMember(part) && field.name === 'relation') {
    const meant = relationOf(text)
    if (meant) drafts[part].relation = meant.relation
    if (!meant || meant.note) drafts[part].relationNote ??= (meant?.note ?? text).slice(0, 50)
    return
  }
  const called = key === 'detail.emergencyRelation' ? relationOf(text) : undefined
  if (called) {
    drafts.detail.emergencyRelation ??= called.relation
    return
  }
  // 3号线 under 校车 says that the pupil takes the bus, and which one.
  if (key === 'detail.needsBus' && busLine.test(text)) {
    drafts.detail.needsBus ??= 1
    drafts.detail.busRoute ??= text.trim()
    return
  }
  add(key, words)
}

const busLine = /^(?=.*(线|路|号车|号|车))(?=.{2,20}$)[^是否有无]+$/
