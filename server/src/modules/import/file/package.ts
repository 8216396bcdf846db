import type yauzl from 'yauzl'
import { FileFault, limits } from './limits.ts'

export interface Part {
  readonly name: string
  readonly size: number
  /** The unpacked bytes; more of them than the directory says end in an error. */
  read(): Promise<NodeJS.ReadableStream>
}

export interface Package {
  readonly parts: ReadonlyMap<string, Part>
  close(): void
}

/** A file that only a password opens, with what to do about it. */
export const encryptedFault = (): FileFault =>
  new FileFault(
    '文件设有打开密码。请用 Excel 或 WPS 打开，在“文件 → 信息 → 保护工作簿 / 文档加密”中清空密码，保存后重新上传',
    'The file has a password. Open it in Excel or WPS, take the password away (File → Info → Protect), save, and upload it again',
  )

const broken = (): FileFault =>
  new FileFault('文件已损坏，请重新保存后上传', 'The file is damaged: save it again and upload it')

/**
 * Opens a zip package after a look at its directory: too many parts, too much to unpack or too high a ratio is refused
 * before a byte is unpacked.
 */
export async function openPackage(path: string): Promise<Package> {
  const { default: yauzl } = await import('yauzl')
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, opened) =>
      error ? reject(broken()) : resolve(opened),
    ),
  )
  try {
    if (zip.entryCount > limits.entries)
      throw new FileFault(
        `压缩包内有${zip.entryCount}个文件，上限为${limits.entries}`,
        `The package holds ${zip.entryCount} parts; the limit is ${limits.entries}`,
      )
    const parts = await directory(zip)
    return { parts, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

function directory(zip: yauzl.ZipFile): Promise<Map<string, Part>> {
  return new Promise((resolve, reject) => {
    const parts = new Map<string, Part>()
    let packed = 0
    let unpacked = 0
    zip.on('error', () => reject(broken()))
    zip.on('end', () => resolve(parts))
    zip.on('entry', (entry: yauzl.Entry) => {
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
      if (entry.isEncrypted()) return reject(encryptedFault())
      if (unpacked > limits.unpacked || (unpacked > 1_048_576 && unpacked > packed * limits.ratio))
        return reject(
          new FileFault(
            `文件解压后过大（上限${limits.unpacked / 1_048_576}MB，压缩比${limits.ratio}）`,
            `The file unpacks to too much (limits: ${limits.unpacked / 1_048_576} MB, ratio ${limits.ratio})`,
          ),
        )
      parts.set(entry.fileName.replace(/^\//, ''), {
        name: entry.fileName,
        size: entry.uncompressedSize,
        read: () => stream(zip, entry),
      })
      zip.readEntry()
    })
    zip.readEntry()
  })
}

function stream(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<NodeJS.ReadableStream> {
  return new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) => (error ? reject(broken()) : resolve(opened))),
  )
}

/** The texts of a part, as they come. */
export async function* textOf(part: Part): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  try {
    for await (const chunk of await part.read()) yield decoder.decode(chunk as Buffer, { stream: true })
  } catch (error) {
    throw error instanceof FileFault ? error : broken()
  }
  yield decoder.decode()
}

/** A whole small part; a missing one is empty. */
export async function wholeText(part: Part | undefined, most = 8 * 1_048_576): Promise<string> {
  if (!part) return ''
  if (part.size > most) throw broken()
  let text = ''
  for await (const chunk of textOf(part)) text += chunk
  return text
}
