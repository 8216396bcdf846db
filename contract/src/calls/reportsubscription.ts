import { defineCall } from '../call.ts'
import { report } from '../entities/report/report.ts'
import { reportsubscription } from '../entities/report/reportsubscription.ts'
import { codeOf } from '../entity.ts'
import { fieldOf, idOf, mapOf, rowOf, textValue } from '../shape.ts'

const field = <const N extends keyof typeof reportsubscription.fields & string>(name: N) =>
  fieldOf(reportsubscription, name)

export const subscribeReport = defineCall({
  method: 'POST',
  path: `${report.path}/subscribe`,
  of: report.name,
  access: { codes: [codeOf(reportsubscription, 'add')] },
  summary: {
    zh: '报表：订阅，按时生成文件送达本人；以本人届时的权限运行',
    en: 'Report: subscribe; it comes to the caller by the clock as a file, made with the rights of that moment',
  },
  as: 'json',
  input: {
    reportId: idOf(report.name, { required: true, label: report.label }),
    // Values of what the report asks for, as filters of the list.
    parameters: mapOf(textValue()),
    every: field('every'),
    weekday: field('weekday'),
    calendarId: field('calendarId'),
    hour: field('hour'),
    format: field('format'),
    way: field('way'),
    fileLanguage: field('fileLanguage'),
  },
  answer: rowOf(reportsubscription),
})
