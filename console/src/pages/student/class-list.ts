import { nameOf, studentparents } from '@data-brain/contract'
import type { ShownRow } from '../../entity/data/index.ts'
import { saidBy } from '../../entity/list/index.ts'
import { PAGE, type PrintWork, type SheetColumn, type SheetLayout, shared } from '../../entity/print/index.ts'

/*
 * The class list on paper: the pupils with a guardian each, instead of the columns of the list.
 */

/** Whom to call. */
interface Guardian {
  readonly name: string
  readonly phone: string
}

/** Who is called first for each pupil; nobody whose access a court has restricted. */
async function guardiansOf(work: PrintWork, rows: readonly ShownRow[], whole: boolean): Promise<Map<string, Guardian>> {
  const { client } = work
  const first = new Map<string, ShownRow<typeof studentparents>>()
  for (let at = 0; at < rows.length; at += 50) {
    const studentId = rows.slice(at, at + 50).map((row) => row.id)
    const query = {
      studentId: studentId.join(','),
      custodyRestricted: '0',
      ascs: 'contactPriority',
      size: PAGE,
      current: 1,
    }
    const found = await client.others(studentparents, query)
    for (const parent of found.records) if (!first.has(parent.studentId)) first.set(parent.studentId, parent)
  }
  const guardians = new Map<string, Guardian>()
  const queue = [...first]
  const next = async (): Promise<void> => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const [studentId, parent] = one
      const phone = whole ? (await client.numbers(studentparents, parent.id)).mobile : parent.mobile
      guardians.set(studentId, { name: parent.parentName ?? '', phone: phone ?? '' })
    }
  }
  // A few at a time: each whole number is a read of its own, and is recorded as one.
  await Promise.all([next(), next(), next(), next()])
  return guardians
}

async function classColumns(work: PrintWork, rows: readonly ShownRow[], whole: boolean): Promise<SheetColumn[]> {
  const { entity, words } = work
  const { t } = words
  const guardians = await guardiansOf(work, rows, whole)
  const own = (name: string): SheetColumn => ({
    label: entity.fields[name]!.label[words.language],
    text: (row) => saidBy(entity, row, name, words),
  })
  const several = (name: string) => new Set(rows.map((row) => row[name])).size > 1
  const [schools, classes] = [several('schoolId'), several('classId')]
  const inClass = own('classId')
  const inSchool = own('schoolId')
  // Portrait, thirty to a page: pupils of several classes are told apart by what stands in the place of other columns.
  return [
    { label: t('print.no'), numeric: true, wide: 13, text: (_row, at) => String(at + 1) },
    ...(schools
      ? [
          {
            ...inClass,
            wide: 46,
            small: true,
            text: (row: ShownRow, at: number) => `${inSchool.text(row, at)} ${inClass.text(row, at)}`,
          },
        ]
      : classes
        ? [{ ...inClass, wide: 27 }]
        : []),
    { ...own('studentNo'), wide: classes ? 25 : 28 },
    { ...own('name'), wide: classes ? 20 : 24 },
    { ...own('sex'), wide: classes ? 10 : 12 },
    ...(schools ? [] : [{ ...own('birthDate'), wide: classes ? 22 : 25 }]),
    { label: t('print.parent'), wide: classes ? 20 : 24, text: (row) => guardians.get(row.id)?.name ?? '' },
    { label: t('print.phone'), wide: classes ? 26 : 30, text: (row) => guardians.get(row.id)?.phone ?? '' },
    { label: t('print.sign'), text: () => '' },
  ]
}

const listWith =
  (whole: boolean): SheetLayout =>
  async (work, rows) => {
    const { words } = work
    const room = shared(rows, nameOf('classId'))
    return {
      title: `${room}${words.language === 'en' && room ? ' ' : ''}${words.t('print.classList')}`,
      columns: await classColumns(work, rows, whole),
      className: 'print-class',
    }
  }

/** With the guardians' numbers as a list shows them, or in full. */
export const classList = listWith(false)
export const classListFull = listWith(true)
