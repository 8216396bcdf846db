import { open } from 'node:fs/promises'
import { FileFault } from './limits.ts'
import { encryptedFault, openPackage, wholeText } from './package.ts'

/*
 * What a file is, by what it holds and not by its name: many a .xls is a web page, and many a .csv a workbook.
 */

export type Container = 'xlsx' | 'xlsb' | 'ods' | 'xls' | 'text'

const asTable = {
  zh: '请用 Excel 或 WPS 打开，另存为 xlsx 后上传',
  en: 'open it in Excel or WPS, save it as xlsx, and upload that',
}

/** A file that is no spreadsheet, called what it is. */
const isA = (zh: string, en: string, next = asTable): FileFault =>
  new FileFault(`这是${zh}，不是表格文件。${next.zh}`, `This is ${en}, no spreadsheet: ${next.en}`)

const unpack = {
  zh: '请解压后逐个上传其中的表格文件',
  en: 'unpack it and upload the spreadsheets in it one by one',
}
const picture = {
  zh: '请把内容录入或识别到 Excel 表格后上传',
  en: 'enter what it shows into a spreadsheet and upload that',
}
const word = {
  zh: '请把其中的表格复制到 Excel 或 WPS 表格，保存为 xlsx 后上传',
  en: 'copy its table into a spreadsheet, save it as xlsx, and upload that',
}

/** How files begin that are something else. */
const beginnings: readonly (readonly [string, FileFault])[] = [
  ['25504446', isA('PDF 文件', 'a PDF', picture)],
  ['ffd8ff', isA('JPEG 图片', 'a JPEG picture', picture)],
  ['89504e47', isA('PNG 图片', 'a PNG picture', picture)],
  ['47494638', isA('GIF 图片', 'a GIF picture', picture)],
  ['424d', isA('BMP 图片', 'a BMP picture', picture)],
  ['52494646', isA('图片或音视频文件', 'a picture, sound or film', picture)],
  ['7b5c727466', isA('RTF 文档', 'an RTF document', word)],
  ['526172211a', isA('RAR 压缩包', 'a RAR archive', unpack)],
  ['377abcaf271c', isA('7z 压缩包', 'a 7z archive', unpack)],
  ['1f8b', isA('gzip 压缩包', 'a gzip archive', unpack)],
  ['000100005374616e64617264', isA('Access 数据库', 'an Access database')],
  ['53514c69746520', isA('SQLite 数据库', 'an SQLite database')],
  ['4d5a', isA('程序', 'a program')],
  ['7f454c46', isA('程序', 'a program')],
  ['4d494d452d56657273696f6e', isA('网页归档（mht）', 'a web archive (mht)')],
]

/** What a file is; a file that is no spreadsheet ends in words that say what it is. */
export async function sniffContainer(path: string): Promise<Container> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw new FileFault('文件是空的', 'The file is empty')
    const head = Buffer.alloc(Math.min(size, 4_096))
    await file.read(head, 0, head.length, 0)
    const begins = head.toString('hex', 0, 16)
    if (begins.startsWith('504b0304') || begins.startsWith('504b0506')) return await inPackage(path)
    if (begins.startsWith('d0cf11e0a1b11ae1')) {
      const whole = Buffer.alloc(size)
      await file.read(whole, 0, size, 0)
      return inCompound(whole)
    }
    // The stream of an old workbook without the container around it.
    if (/^09(00|02|04|08)(04|06|08|10)00/.test(begins)) return 'xls'
    for (const [sign, fault] of beginnings)
      if (begins.startsWith(sign) && (sign.length > 4 || !isText(head))) throw fault
    if (!isText(head))
      throw new FileFault(
        '无法识别这个文件，请用 Excel 或 WPS 另存为 xlsx 后上传',
        'What kind of file this is cannot be told: save it as xlsx and upload that',
      )
    return 'text'
  } finally {
    await file.close()
  }
}

/** Whether bytes can be text in any encoding that is read: no zeros but those of UTF-16, few control signs. */
function isText(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  let zeros = 0
  let controls = 0
  for (const byte of head) {
    if (byte === 0) zeros += 1
    else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) controls += 1
  }
  if (zeros > 0 && !sniffUtf16(head)) return false
  return controls <= head.length / 50
}

/** UTF-16 without its mark: line ends, commas and digits have a zero beside them, always on the same side. */
export function sniffUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  let low = 0
  let high = 0
  for (let at = 0; at + 1 < Math.min(head.length, 4_096); at += 2) {
    if (head[at] !== 0 && head[at + 1] === 0) low += 1
    if (head[at] === 0 && head[at + 1] !== 0) high += 1
  }
  const pairs = Math.min(head.length, 4_096) / 2
  if (low > pairs / 20 && high === 0) return 'utf-16le'
  return high > pairs / 20 && low === 0 ? 'utf-16be' : undefined
}

/** What a zip package holds. */
async function inPackage(path: string): Promise<Container> {
  const file = await openPackage(path)
  try {
    const names = [...file.parts.keys()]
    const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name))
    if (has(/^xl\/workbook\d*\.xml$/i)) return 'xlsx'
    if (has(/^xl\/workbook\.bin$/i)) return 'xlsb'
    if (has(/^word\//)) throw isA('Word 文档', 'a Word document', word)
    if (has(/^ppt\//)) throw isA('演示文稿', 'a presentation', word)
    if (has(/\.iwa$/) || has(/^Index\.zip$/))
      throw isA('Apple Numbers（或 Pages）文件', 'an Apple Numbers (or Pages) file', {
        zh: '请在 Numbers 中选择“文件 → 导出为 → Excel”后上传',
        en: 'in Numbers choose File → Export To → Excel, and upload that',
      })
    if (has(/^mimetype$/) || has(/^content\.xml$/)) {
      const type = await wholeText(file.parts.get('mimetype'))
      if (type.includes('spreadsheet') || (!type.includes('opendocument') && has(/^content\.xml$/))) {
        if (/encryption-data/.test(await wholeText(file.parts.get('META-INF/manifest.xml')))) throw encryptedFault()
        return 'ods'
      }
      throw isA('文字或演示文档', 'a text document or presentation', word)
    }
    const books = names.filter((name) => /\.(xlsx?|xlsm|xlsb|et|ods|csv)$/i.test(name)).length
    if (books > 0)
      throw isA(
        `压缩包，内有${books}个表格文件`,
        `an archive with ${books} spreadsheet${books > 1 ? 's' : ''} in it`,
        unpack,
      )
    throw isA('压缩包', 'an archive', unpack)
  } finally {
    file.close()
  }
}

/** What a compound file (as Office wrote them before 2007) holds, by the names of its streams. */
function inCompound(bytes: Buffer): Container {
  const has = (name: string): boolean => bytes.includes(Buffer.from(`${name}\0`, 'utf16le'))
  if (has('EncryptedPackage')) throw encryptedFault()
  if (has('Workbook') || has('Book')) return 'xls'
  if (has('WordDocument')) throw isA('Word 或 WPS 文字文档', 'a Word or WPS text document', word)
  if (has('PowerPoint Document')) throw isA('演示文稿', 'a presentation', word)
  throw new FileFault(
    '文件中没有工作簿，请用 Excel 或 WPS 另存为 xlsx 后上传',
    'There is no workbook in the file: save it as xlsx and upload that',
  )
}
