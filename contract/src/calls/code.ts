import { type AnswerOf, defineCall } from '../call.ts'
import { codeKinds, codeSystems } from '../code.ts'
import { code } from '../entities/system/code.ts'
import { datasource } from '../entities/system/datasource.ts'
import { codeOf } from '../entity.ts'
import { fileOf, flagValue, idOf, idsOf, integerValue, listOf, objectOf, oneOf, textValue } from '../shape.ts'

const of = code.name
const making = { codes: [codeOf(code, 'add'), codeOf(code, 'edit')] } as const
const generating = { codes: ['code_generate'] } as const

const fields = listOf(
  objectOf(
    {
      name: textValue(),
      zh: textValue(),
      en: textValue(),
      kind: oneOf(codeKinds),
      max: integerValue({ optional: true }),
      scale: integerValue({ optional: true }),
      required: flagValue({ optional: true }),
      unique: flagValue({ optional: true }),
      to: textValue({ optional: true }),
    },
    { name: 'CodeField' },
  ),
)

export const codeOfTable = defineCall({
  method: 'GET',
  path: 'blade-develop/code/guess',
  of,
  access: making,
  summary: {
    zh: '代码生成：由数据源的一张表推断字段',
    en: 'Code generator: guess the fields of a table of a data source',
  },
  input: {
    datasourceId: idOf(datasource.name, { required: true }),
    schema: textValue({ max: 128 }),
    table: textValue({ required: true, max: 128 }),
  },
  answer: fields,
})

export const codeOfHeadings = defineCall({
  method: 'POST',
  path: 'blade-develop/code/headings',
  of,
  access: making,
  summary: {
    zh: '代码生成：由电子表格的标题行推断字段',
    en: 'Code generator: guess the fields by the headings of a spreadsheet',
  },
  upload: true,
  answer: fields,
})

export const copyCode = defineCall({
  method: 'POST',
  path: 'blade-develop/code/copy',
  of,
  access: { codes: [codeOf(code, 'add')] },
  summary: { zh: '代码生成：复制', en: 'Code generator: copy' },
  input: { id: idOf(of, { required: true }) },
  answer: objectOf({ id: idOf(of) }),
})

const wanted = {
  ids: idsOf(of, { required: true, max: 20 }),
  system: oneOf(codeSystems),
} as const

export const previewCode = defineCall({
  method: 'GET',
  path: 'blade-develop/code/preview',
  of,
  access: generating,
  summary: {
    zh: '代码生成：预览文件和差异，不写入任何内容',
    en: 'Code generator: the files and their differences; nothing is written',
  },
  input: wanted,
  answer: listOf(
    objectOf({
      path: textValue(),
      text: textValue(),
      // What changes against the sources, or against what was generated before; empty where nothing does.
      difference: textValue(),
      isNew: flagValue(),
    }),
  ),
})
export type PreviewedFile = AnswerOf<typeof previewCode>[number]

export const genCode = defineCall({
  method: 'POST',
  path: 'blade-develop/code/gen-code',
  of,
  access: generating,
  summary: {
    zh: '代码生成：打包下载文件和补丁，服务器上不写入文件',
    en: 'Code generator: files and patches as a zip; no file is written on the server',
  },
  input: wanted,
  answer: fileOf('application/zip'),
})
