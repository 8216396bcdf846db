import { defineCall } from '../call.ts'
import { fixedform } from '../entities/index.ts'
import { codeOf } from '../entity.ts'
import { formSubjects } from '../fixed-form.ts'
import { fileOf, idOf, jsonValue, objectOf, oneOf } from '../shape.ts'
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

export const formWorkbook = defineCall({
  method: 'GET',
  path: `${fixedform.path}/workbook`,
  of: fixedform.name,
  access: { codes: [codeOf(fixedform, 'view')] },
  summary: { zh: '表样：下载保存的工作簿', en: 'Form: its workbook as it was saved, with its marks' },
  input: { id: idOf(fixedform.name, { required: true }) },
  answer: fileOf('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
})

export const previewForm = defineCall({
  method: 'GET',
  path: `${fixedform.path}/preview`,
  of: fixedform.name,
  access: { codes: [codeOf(fixedform, 'view')] },
  summary: {
    zh: '表样：用一条记录试填已保存的表样，返回各工作表的样子；与填表的权限、数据范围和查阅记录相同',
    en: 'Form: how its sheets look filled with one row; rights, scope and access records are those of filling it',
  },
  input: { id: idOf(fixedform.name, { required: true }), rowId: idOf('row', { required: true }) },
  // Sheets as contract/src/fixed-form.ts says.
  answer: objectOf({ sheets: jsonValue() }),
})

/** A workbook that is uploaded and not yet a form, and what it is filled with. */
const uploaded = {
  attachId: idOf('attach', { required: true, label: fixedform.fields.attachId.label }),
  subject: oneOf(formSubjects, { required: true, label: fixedform.fields.subject.label }),
  rowId: idOf('row', { required: true }),
}
/** Whoever may save it as a form. */
const author = { codes: [codeOf(fixedform, 'add'), codeOf(fixedform, 'edit')] }

export const previewUploadedForm = defineCall({
  method: 'GET',
  path: `${fixedform.path}/uploaded/preview`,
  of: fixedform.name,
  access: author,
  summary: {
    zh: '表样：用一条记录试填刚上传的工作簿，返回各工作表的样子；与填表的权限、数据范围和查阅记录相同',
    en: 'Form: how the sheets of an uploaded workbook look filled with one row; rights, scope and access records are those of filling a form',
  },
  input: uploaded,
  answer: objectOf({ sheets: jsonValue() }),
})

export const fillUploadedForm = defineCall({
  method: 'GET',
  path: `${fixedform.path}/uploaded/filled`,
  of: fixedform.name,
  access: author,
  summary: {
    zh: '表样：用一条记录试填刚上传的工作簿，下载工作簿或PDF；与填表的权限、数据范围和查阅记录相同',
    en: 'Form: an uploaded workbook filled with one row, as a workbook or PDF; rights, scope and access records are those of filling a form',
  },
  input: { ...uploaded, into: oneOf(['book', 'pdf']) },
  answer: fileOf('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/pdf'),
})
