import type { Bundle } from '../ui/words.ts'

/** What is said about forms that an authority prescribes. */
export const fixedFormWords = {
  'fixedForm.fill': { zh: '填表', en: 'Fill a form' },
  'fixedForm.download': { zh: '下载', en: 'Download' },
  'fixedForm.form': { zh: '表样', en: 'Form' },
  'fixedForm.choose': { zh: '请选择表样', en: 'Choose a form' },
  'fixedForm.none': {
    zh: '还没有可用于此处的表样。请在“报表 › 表样”中上传，或请管理员共享给您的角色。',
    en: 'There is no form for these rows yet. Add one under Reports › Forms, or ask for one to be shared with your role.',
  },
  'fixedForm.rows': { zh: '将填入{count}条', en: 'Rows that go in: {count}' },
  'fixedForm.tooMany': { zh: '一次最多填{most}条，请少选一些', en: 'At most {most} rows at once: choose fewer' },
  'fixedForm.several': { zh: '多份保存为', en: 'Several as' },
  'fixedForm.book': { zh: '一个工作簿，每份一张工作表', en: 'One workbook, a sheet for each' },
  'fixedForm.zip': { zh: '压缩包，每份一个文件', en: 'A zip, a file for each' },
  'fixedForm.full': { zh: '填入完整的敏感信息（将记入查阅记录）', en: 'Personal values in full (it is recorded)' },
  'fixedForm.shipped': { zh: '范本', en: 'Templates' },
  'fixedForm.shippedHelp': {
    zh: '随产品提供的表样。可直接新增为本校的表样，也可先下载、修改后再上传。',
    en: 'Forms that come with the product. Add one as it is, or download it, change it and upload it.',
  },
  'fixedForm.take': { zh: '新增', en: 'Add' },
  'fixedForm.takeOf': { zh: '新增：{name}', en: 'Add: {name}' },
  'fixedForm.downloadOf': { zh: '下载：{name}', en: 'Download: {name}' },
  'fixedForm.taken': { zh: '已新增表样“{name}”', en: 'The form “{name}” is added' },
  'fixedForm.marks': { zh: '可用标记', en: 'Marks' },
  'fixedForm.marksHelp': {
    zh: '点击标记即可复制，再粘贴到单元格中。清单的首行在名称前加“[].”，例如“[].姓名”；报表的数字可写明统计值和组，例如“报表：在校生.数量[一年级，女]”。',
    en: 'Click a mark to copy it, and paste it into a cell. In the first row of a list, put “[].” before the name, as in “[].Name”. A figure of a report can name its measure and group, as in “Report:Students.Count[Grade 1,Female]”.',
  },
  'fixedForm.search': { zh: '搜索标记', en: 'Search marks' },
  'fixedForm.subject': { zh: '填写对象', en: 'Filled with' },
  'fixedForm.figure': { zh: '报表：{name}', en: 'Report:{name}' },
  'fixedForm.today': { zh: '今天', en: 'today' },
  'fixedForm.number': { zh: '序号', en: 'number' },
  'fixedForm.filler': { zh: '填表人', en: 'filled by' },
  'fixedForm.nothing': { zh: '没有找到标记', en: 'No mark found' },
} as const satisfies Bundle
