import { defineCall } from '../call.ts'
import { oss } from '../entities/resource/oss.ts'
import { codeOf } from '../entity.ts'
import { emptyAnswer, flagValue, idOf, integerValue, objectOf, textValue } from '../shape.ts'

const of = oss.name

export const enableOss = defineCall({
  method: 'POST',
  path: 'blade-resource/oss/enable',
  of,
  access: { codes: ['oss_enable'] },
  summary: {
    zh: '对象存储：启用一个并停用其他；不指定即改用数据文件夹',
    en: 'Object storage: enable one and disable the others; none for the data folder',
  },
  input: { id: idOf(of) },
  answer: emptyAnswer,
})

export const testOss = defineCall({
  method: 'POST',
  path: 'blade-resource/oss/test',
  of,
  access: { codes: ['oss_enable', codeOf(oss, 'edit')] },
  summary: { zh: '对象存储：测试连接', en: 'Object storage: try it out' },
  input: { id: idOf(of, { required: true }) },
  answer: objectOf({
    ok: flagValue(),
    // What works, or what is wrong, in words.
    message: textValue(),
    milliseconds: integerValue(),
  }),
})
