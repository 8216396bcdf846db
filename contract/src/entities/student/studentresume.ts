import { defineEntity } from '../../entity.ts'
import { choice, date, personal, reference, references, text } from '../../field.ts'
import { parentSchoolId, remark } from '../common.ts'

export const studentresume = defineEntity({
  name: 'studentresume',
  path: 'blade-user/studentresume',
  label: { zh: '学生简历', en: 'Student resume' },
  ownership: 'school',
  title: 'orgName',
  fields: {
    schoolId: parentSchoolId,
    studentId: reference('学生', 'Student', 'student', { required: true, fixed: true }),
    kind: choice('类型', 'Kind', 'resume_kind', { required: true, default: '1' }),
    beginDate: date('开始日期', 'Begin date', { required: true }),
    endDate: date('结束日期', 'End date'),
    orgName: text('学校或单位', 'School or organisation', { required: true, max: 100 }),
    orgCode: text('学校标识码', 'School code', { max: 32 }),
    gradeText: text('年级', 'Grade', { max: 30 }),
    position: text('任职', 'Position', { max: 50 }),
    witness: text('证明人', 'Witness', { max: 50, rule: 'personName' }),
    witnessPhone: personal('证明人电话', 'Witness phone', { max: 20, rule: 'phone' }),
    title: text('奖惩名称', 'Award or sanction', { max: 100 }),
    level: choice('级别', 'Level', 'award_level'),
    rank: text('等次', 'Rank', { max: 30 }),
    docNo: text('文号', 'Document no.', { max: 60 }),
    issuedOn: date('颁发日期', 'Issued on'),
    revokeOn: date('撤销日期', 'Revoked on', {
      help: { zh: '处分未撤销前不能转学', en: 'A student cannot transfer while a sanction stands' },
    }),
    attachIds: references('附件', 'Attachments', 'attach'),
    remark,
  },
  ranges: [
    ['beginDate', 'endDate'],
    ['issuedOn', 'revokeOn'],
  ],
  list: ['studentId', 'schoolId', 'kind', 'beginDate', 'endDate', 'orgName', 'title', 'level'],
  search: ['orgName', 'schoolId', 'studentId', 'kind', 'level'],
  within: 'studentId',
  sort: '-beginDate',
  sorts: ['orgName'],
  groups: [
    {
      label: { zh: '经历', en: 'Experience' },
      fields: [
        'studentId',
        'kind',
        'beginDate',
        'endDate',
        'orgName',
        'orgCode',
        'gradeText',
        'position',
        'witness',
        'witnessPhone',
      ],
    },
    {
      label: { zh: '奖惩', en: 'Awards and sanctions' },
      fields: ['title', 'level', 'rank', 'docNo', 'issuedOn', 'revokeOn'],
    },
    { label: { zh: '其他', en: 'Other' }, fields: ['attachIds', 'remark'] },
  ],
})
