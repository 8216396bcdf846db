/*
 * Who may stand in a heading about the family: relatives, and whoever cares for a pupil.
 */

/** Relatives with a key of their own in the dictionary, the longer word first. */
export const parentsAndTheirs =
  '继父|养父|继母|养母|外祖父|外祖母|祖父|祖母|父亲|母亲|爸爸|妈妈|爷爷|奶奶|外公|外婆|姥爷|姥姥|父|母|爸|妈'
/** Relatives without one: the word is kept. Brothers and sisters are pupils as often as guardians, and 阿姨 works in a kindergarten. */
const others = '叔叔|叔父|伯伯|伯父|大伯|伯母|婶婶|舅舅|舅妈|舅母|姑姑|姑妈|姑父|姨妈|姨父|小姨|大姨'
export const relatives = `${parentsAndTheirs}|${others}`

/** Who cares for a pupil, by whatever right: 委托照护人, 实际监护人. */
const carers = [
  '监护人',
  '抚养人',
  '代养人',
  '带养人',
  '照管人',
  '照看人',
  '照顾人',
  '照料人',
  '照护人',
  '看护人',
].flatMap((carer) =>
  ['', '实际', '现', '委托', '受委托', '代理', '临时', '主要', '日常', '法定'].map((by) => by + carer),
)
/** Whoever is called that, and no more is said of who it is. */
export const generic = [
  ...'父母双方|父母或监护人|父母或其他监护人|父母监护人|家长或监护人|监护人或家长|父母|主要家庭成员|家庭主要成员|家庭成员或监护人|家庭成员|第一监护人|第二监护人|代理家长|代管人|托管人|陪读人|陪读家长|其他监护人|其他家长|其他家庭成员|其他成员|其他亲属|其他亲人|其他家人|家人|另一监护人|另一家长|第一联系人|第二联系人|备用联系人|其他联系人|主要联系人|主监护人|第一家长|第二家长|家长|家属|成员|联系人|第一接送人|第二接送人|接送人|户主|填写人|填表人|填报人|答题人|投保人|家庭联系人|日常联系人|常用联系人|第三监护人|第三联系人'.split(
    '|',
  ),
  ...carers,
]
  .sort((a, b) => b.length - a.length)
  .join('|')

/** Two relatives under one heading: what is said is of either. */
export const grandparents: readonly (readonly [string, RegExp])[] = [
  ['祖父母', /^(?:爷爷?[和与及或]?奶奶?|奶奶[和与及或]?爷爷|祖父母|祖父[和与及或]?祖母)$/],
  [
    '外祖父母',
    /^(?:外公[和与及或]?外婆|外婆[和与及或]?外公|姥爷[和与及或]?姥姥|姥姥[和与及或]?姥爷|外祖父母|外祖父[和与及或]?外祖母)$/,
  ],
]
export const eitherGrandparent = grandparents.map(([, form]) => form.source.slice(4, -2)).join('|')
