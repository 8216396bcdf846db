import type { Words } from '../field.ts'
import type { FormFieldKind } from './plan.ts'

/*
 * What a service task can do with the product beside telling people: each action is listed here with its inputs, and the
 * server does it in the transaction of the step (server/src/modules/flow/product-actions.ts). Nothing else can be named.
 */

/** What an action is told by the model. */
export interface ActionInput {
  readonly label: Words
  readonly help?: Words
  readonly required?: true
  /** A text with fields of the form in it (`{reason}`), one of a few, an entry of a dictionary, or the name of a field of the form. */
  readonly kind: 'text' | 'longText' | 'choice' | 'dict' | 'field'
  readonly options?: readonly { readonly key: string; readonly label: Words }[]
  /** Of a dictionary: which. */
  readonly dict?: string
  /** Of a field of the form: the kinds that fit. */
  readonly fits?: readonly FormFieldKind[]
  readonly max?: number
}

export interface ProductAction {
  readonly label: Words
  /** What happens, on which rows, and whose right that takes. */
  readonly help: Words
  /** Whoever deploys a model with it holds all of these codes: nobody does by a process what they may not do themselves. */
  readonly codes: readonly string[]
  readonly inputs: Readonly<Record<string, ActionInput>>
}

const pupil: ActionInput = {
  label: { zh: '学生字段', en: 'Field of the student' },
  help: {
    zh: '表单中类型为“学生”的字段；填写人只能选择其数据范围内的学生',
    en: 'A field of the form of the kind “Student”: whoever fills it in chooses among those within their own scope',
  },
  required: true,
  kind: 'field',
  fits: ['student'],
}

/** Fields of a pupil's row that a process may set. */
const pupilFields = [
  { key: 'studyWay', label: { zh: '就读方式', en: 'Day or boarding' } },
  { key: 'source', label: { zh: '学生来源', en: 'Source' } },
  { key: 'health', label: { zh: '健康状况', en: 'Health' } },
  { key: 'formerName', label: { zh: '曾用名', en: 'Former name' } },
  { key: 'email', label: { zh: '电子信箱', en: 'Email' } },
  { key: 'remark', label: { zh: '备注', en: 'Remark' } },
] as const

export const productActions = {
  notice: {
    label: { zh: '发布通知公告', en: 'Publish a notice' },
    help: {
      zh: '立即发布一条通知；部署者须有新增和发布通知的权限',
      en: 'A notice comes out at once; whoever deploys needs the rights to add and publish notices',
    },
    codes: ['notice_add', 'notice_publish'],
    inputs: {
      title: { label: { zh: '标题', en: 'Title' }, required: true, kind: 'text', max: 100 },
      content: {
        label: { zh: '内容', en: 'Content' },
        help: { zh: '可以用 {name} 引用名为 name 的表单字段', en: 'Fields of the form stand as {name}' },
        required: true,
        kind: 'longText',
        max: 2000,
      },
      category: {
        ...{ label: { zh: '通知类型', en: 'Type' }, required: true, kind: 'dict', dict: 'notice' },
      },
      audience: {
        label: { zh: '通知对象', en: 'For' },
        required: true,
        kind: 'choice',
        options: [
          { key: 'school', label: { zh: '申请人所在学校', en: 'The applicant’s school' } },
          { key: 'dept', label: { zh: '申请人所在部门', en: 'The applicant’s department' } },
          { key: 'all', label: { zh: '全部人员', en: 'Everybody' } },
        ],
      },
    },
  },
  studentStatus: {
    label: { zh: '变更学生状态', en: 'Change a student’s status' },
    help: {
      zh: '例如休学、复学、转出；部署者须有修改学生的权限',
      en: 'Such as leave of absence, return, transfer; whoever deploys needs the right to edit students',
    },
    codes: ['student_edit'],
    inputs: {
      student: pupil,
      status: { label: { zh: '改为', en: 'Becomes' }, required: true, kind: 'dict', dict: 'student_status' },
    },
  },
  studentField: {
    label: { zh: '更新学生信息', en: 'Set a field of a student' },
    help: {
      zh: '只能更新所列字段；部署者须有修改学生的权限',
      en: 'Only the fields listed can be set; whoever deploys needs the right to edit students',
    },
    codes: ['student_edit'],
    inputs: {
      student: pupil,
      field: { label: { zh: '更新字段', en: 'Field' }, required: true, kind: 'choice', options: pupilFields },
      value: {
        label: { zh: '新的值', en: 'New value' },
        help: {
          zh: '文字、表单字段 {name}，或字典项的键值；留空则清空',
          en: 'A text, {name} of a field, or the key of a dictionary’s entry; nothing empties it',
        },
        kind: 'text',
        max: 200,
      },
    },
  },
} as const satisfies Readonly<Record<string, ProductAction>>

export type ProductActionName = keyof typeof productActions

export const productActionNames = Object.keys(productActions) as readonly ProductActionName[]

/** The action of this name, with its inputs by their names. */
export const productAction = (name: ProductActionName): ProductAction => productActions[name]

/** Whether there is an action of this name. */
export const isProductAction = (name: string | undefined): name is ProductActionName =>
  name !== undefined && Object.hasOwn(productActions, name)

/** The fields of a form that a text names: `{reason}`. */
export const namedIn = (text: string): string[] =>
  [...text.matchAll(/\{([\p{L}_][\p{L}\p{N}_]*)\}/gu)].map(([, name]) => name!)
