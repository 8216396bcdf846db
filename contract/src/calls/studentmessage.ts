import { defineCall } from '../call.ts'
import { studentmessage } from '../entities/student/studentmessage.ts'
import { codeOf } from '../entity.ts'
import { idOf, integerValue, objectOf } from '../shape.ts'

const of = studentmessage.name

export const sendStudentMessage = defineCall({
  method: 'POST',
  path: `${studentmessage.path}/send`,
  of,
  access: { codes: [codeOf(studentmessage, 'edit')] },
  summary: {
    zh: '家校消息：按邮件渠道发送给接收人；其他渠道尚不能发送',
    en: 'Message: send it by mail to its recipients; other channels send nothing yet',
  },
  input: { id: idOf(of, { required: true }) },
  // How many letters were asked for, and how many recipients have no address.
  answer: objectOf({ mails: integerValue(), without: integerValue() }),
})
