import { PassThrough } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import excel from '@zurmokeeper/exceljs'
import type { FromThread, Sheet, ToThread } from './writing-thread.ts'

/* The thread that writes an exported list: rows come in by bunches, the file goes out as it grows. */

const sheet = workerData as Sheet
const port = parentPort!
const say = (message: FromThread): void => port.postMessage(message)

const out = new PassThrough()
out.on('data', (bytes: Buffer) => say({ kind: 'piece', bytes: new Uint8Array(bytes) }))
out.on('end', () => say({ kind: 'whole' }))

const book = new excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: false })
const page = book.addWorksheet(sheet.name, {
  views: [{ state: 'frozen', ySplit: 1 }],
  headerFooter: { oddFooter: `&L${sheet.foot.replaceAll('&', '&&')}&R&P / &N` },
})
// Numbers stay numbers; all else is text, so that a spreadsheet computes nothing and long numbers keep their digits.
page.columns = sheet.columns.map(({ heading, width }) => ({ header: heading, width, style: { numFmt: '@' } }))
const head = page.getRow(1)
head.font = { bold: true }
head.commit()

port.on('message', async (message: ToThread) => {
  if (message.kind === 'rows') {
    for (const cells of message.rows) {
      const row = page.addRow([...cells])
      cells.forEach((cell, index) => {
        if (typeof cell === 'number') row.getCell(index + 1).numFmt = 'General'
      })
      row.commit()
    }
    say({ kind: 'taken' })
    return
  }
  page.commit()
  const about = book.addWorksheet(sheet.aboutName)
  about.columns = [{ width: 16 }, { width: 60 }]
  for (const line of sheet.about) about.addRow([...line]).commit()
  about.commit()
  await book.commit()
})
