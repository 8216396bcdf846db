import { textOf } from '../../../entity/display/index.ts'
import { makeElement, printedBy, putOnPaper, tenantName, titledTable } from '../../../entity/print/index.ts'
import { printWords } from '../../../locales/print.ts'
import { addWords, language, translate as t } from '../../../ui/words.ts'
import { type AskedField, dictionariesOf, entityOfFields, kindOf } from '../form/fields.ts'
import { lengthOfStep, nameOfStep, toldSteps, wordOfStep } from '../history/steps.ts'
import type { FlowStep, ProcessDetail } from '../queries.ts'
import './print.css'

addWords(printWords)

function line(cells: readonly string[], head = false): HTMLElement {
  const made = makeElement('tr')
  cells.forEach((text, at) => {
    const cell = makeElement(head || at === 0 ? 'th' : 'td', text)
    made.append(cell)
  })
  return made
}

const words = (fields: readonly AskedField[]) => ({
  t,
  language: language(),
  dictionaries: dictionariesOf(fields),
  regions: {},
})

const factText = (field: AskedField, said: ReturnType<typeof words>): string => {
  if (kindOf(field) === 'flag') return t(field.value === true ? 'flow.yes' : 'flow.no')
  if (kindOf(field) === 'files') return field.shown ?? ''
  return textOf(entityOfFields('', [field]).fields[field.name]!, field.value, said, field.shown ?? undefined)
}

/** The drawing as it stands on the page, as wide as the paper; its colours are those of paper. */
function drawing(): HTMLElement | null {
  const canvas = document.querySelector<HTMLElement>('#main .fh-canvas')
  if (!canvas || canvas.clientWidth === 0) return null
  const copy = canvas.cloneNode(true) as HTMLElement
  // A line finds its arrowhead by name, and the first of that name is the one on the page, which paper leaves out.
  for (const marker of copy.querySelectorAll('marker')) {
    const name = marker.id
    marker.id = `${name}-paper`
    for (const line of copy.querySelectorAll<SVGElement>('[style*="marker"]'))
      line.setAttribute('style', (line.getAttribute('style') ?? '').replaceAll(`#${name}"`, `#${name}-paper"`))
  }
  copy.style.width = `${canvas.clientWidth}px`
  copy.style.setProperty('zoom', String(Math.min(1, paperWidth / canvas.clientWidth)))
  return copy
}

/** What fits between the margins of A4, in pixels. */
const paperWidth = 690

/** Prints an instance: what was asked for, the way it has gone, and every decision with its words. */
export function printInstance(detail: ProcessDetail, steps: readonly FlowStep[]): void {
  const sheet = makeElement('div', '', 'print-sheet print-record print-flow')
  const said = words(detail.fields)
  const facts: [string, string][] = [
    [t('flow.serialNo'), detail.serialNo ?? ''],
    [t('flow.applicant'), detail.startUserName ?? ''],
    [t('flow.sentAt'), detail.startTime.slice(0, 16)],
    ...detail.fields.map((field): [string, string] => [field.label, factText(field, said)]),
  ]
  const decisions = toldSteps(steps).map((step) =>
    line([
      nameOfStep(step, t),
      step.assigneeName ?? step.candidateNames ?? '',
      [wordOfStep(step, t), lengthOfStep(step, t)].filter(Boolean).join(t('flow.separator')),
      step.comment ?? '',
      (step.endTime ?? step.createTime).slice(0, 16),
    ]),
  )
  const heads = line([t('flow.step'), t('flow.person'), t('flow.decision'), t('flow.comment'), t('flow.time')], true)
  sheet.append(
    makeElement('h1', detail.title),
    titledTable(
      detail.processDefinitionName,
      facts.filter(([, text]) => text !== '').map((fact) => line(fact)),
    ),
  )
  const drawn = drawing()
  if (drawn) sheet.append(drawn)
  sheet.append(titledTable(t('flow.decisions'), [heads, ...decisions]))
  sheet.append(makeElement('p', printedBy(said)))
  putOnPaper(sheet, said, tenantName(), false)
}
