import { type FormField, formFieldKinds } from '@data-brain/contract/flow/plan'
import { childrenOf, foreignElements, own } from './extension.ts'
import type { Faults } from './faults.ts'
import { type Element, many, text } from './moddle.ts'

const kinds: ReadonlySet<string> = new Set(formFieldKinds)
const isKind = (kind: string | undefined): kind is FormField['kind'] => kind !== undefined && kinds.has(kind)

/** What other engines call the kinds of fields. */
const foreignKinds: Readonly<Record<string, FormField['kind']>> = {
  string: 'text',
  long: 'integer',
  integer: 'integer',
  double: 'decimal',
  boolean: 'flag',
  date: 'date',
  enum: 'choice',
}

/** What the engine knows of an instance, and conditions ask for by these names: no form says it in its place. */
const kept: ReadonlySet<string> = new Set(['applicant', 'chosen', 'outcome', 'flag', 'pass'])

function ownField(field: Element): FormField | undefined {
  const [name, kind] = [text(field, 'name'), text(field, 'kind')]
  if (name === undefined || !isKind(kind)) return undefined
  const options = many(field, 'options').map((each) => ({
    key: text(each, 'key') ?? '',
    label: text(each, 'label') ?? '',
  }))
  const [min, max, help] = [field.get('min'), field.get('max'), text(field, 'help')]
  return {
    name,
    label: text(field, 'label') ?? '',
    kind,
    ...(field.get('required') === true ? { required: true } : {}),
    ...(options.length > 0 ? { options } : {}),
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
    ...(help === undefined ? {} : { help }),
  }
}

function foreignField(field: Element): FormField | undefined {
  const name = text(field, 'id')
  const kind = foreignKinds[text(field, 'type') ?? 'string']
  if (name === undefined || kind === undefined) return undefined
  const options = childrenOf(field, 'value').map((each) => ({
    key: text(each, 'id') ?? '',
    label: text(each, 'name') ?? text(each, 'id') ?? '',
  }))
  return {
    name,
    label: text(field, 'name') ?? text(field, 'label') ?? name,
    kind,
    ...(text(field, 'required') === 'true' ? { required: true } : {}),
    ...(kind === 'choice' ? { options } : {}),
  }
}

/** The fields that a process brings with it; `start` is where other engines put them. */
export function formOf(process: Element, start: Element | undefined, faults: Faults): FormField[] {
  const form = own(process, 'db:Form')
  const described = form
    ? many(form, 'fields').map((of) => ({ of, field: ownField(of) }))
    : (start ? foreignElements(start) : []).flatMap(({ name, of }) =>
        (name === 'formData' ? childrenOf(of, 'formField') : name === 'formProperty' ? [of] : []).map((each) => ({
          of: each,
          field: foreignField(each),
        })),
      )
  const fields: FormField[] = []
  for (const { of, field } of described) {
    const name = text(of, 'name') ?? text(of, 'id') ?? ''
    if (!field) {
      faults.understood = false
      faults.add({
        zh: `表单字段“${name}”缺少名称，或类型“${text(of, 'kind') ?? text(of, 'type') ?? ''}”无法识别`,
        en: `The form field “${name}” has no name, or its kind “${text(of, 'kind') ?? text(of, 'type') ?? ''}” is not known`,
      })
    } else if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(field.name) || field.name === '__proto__')
      faults.add({
        zh: `表单字段名“${name}”不合规：以字母开头，只含字母、数字和下划线`,
        en: `The name of the form field “${name}” is not allowed: it begins with a letter and holds letters, digits and “_” only`,
      })
    else if (kept.has(field.name))
      faults.add({
        zh: `表单字段名“${name}”由系统使用，请换一个`,
        en: `The name of the form field “${name}” is used by the engine itself: choose another one`,
      })
    else if (fields.some((each) => each.name === field.name))
      faults.add({ zh: `表单字段“${name}”出现了两次`, en: `The form field “${name}” stands twice` })
    else if (field.label.trim() === '')
      faults.add({ zh: `表单字段“${name}”没有标题`, en: `The form field “${name}” has no label` })
    else if (field.kind === 'choice' && (field.options ?? []).length === 0)
      faults.add({ zh: `表单字段“${field.label}”没有选项`, en: `The form field “${field.label}” has no options` })
    else if (field.min !== undefined && field.max !== undefined && field.min > field.max)
      faults.add({
        zh: `表单字段“${field.label}”的最小值大于最大值`,
        en: `The least value of the form field “${field.label}” is above its greatest`,
      })
    if (field) fields.push(field)
  }
  return fields
}
