import { defineCall } from '../call.ts'
import { fixedform } from '../entities/index.ts'
import { codeOf } from '../entity.ts'
import { fileOf, oneOf } from '../shape.ts'
import { shippedFormKeys } from '../shipped-forms.ts'

export const shippedForm = defineCall({
  method: 'GET',
  path: `${fixedform.path}/shipped`,
  of: fixedform.name,
  access: { codes: [codeOf(fixedform, 'add')] },
  summary: {
    zh: '表样：随产品提供的范本，为带标记的工作簿，可修改后保存为表样',
    en: 'Form: one that comes with the product, a workbook with its marks, to be changed and saved as a form',
  },
  input: { key: oneOf(shippedFormKeys, { required: true, label: { zh: '范本', en: 'Template' } }) },
  answer: fileOf('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
})
