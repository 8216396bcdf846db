import type { Field } from '../field.ts'
import { optionLongest } from './field-options.ts'
import { hoursMost } from './grade-hours.ts'
import { periodsMost } from './slots.ts'

type Schema = Readonly<Record<string, unknown>>

const id: Schema = { type: 'string', description: 'id of a row' }
const whole = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum })
const listOf = (properties: Record<string, Schema>, required: readonly string[]): Schema => ({
  type: 'array',
  items: { type: 'object', properties, required, additionalProperties: false },
})

/** What json values of each sort are on the wire, for the description of the API. */
export const valueWire: Record<NonNullable<Field['as']>, Schema> = {
  weeks: { type: 'array', items: whole(1, 53), description: 'numbers of weeks' },
  halfDay: {
    type: 'object',
    properties: { weekday: whole(1, 7), half: { type: 'string', enum: ['am', 'pm'] } },
    required: ['weekday', 'half'],
    additionalProperties: false,
  },
  slots: listOf({ weekday: whole(1, 7), periodNo: whole(1, periodsMost) }, ['weekday', 'periodNo']),
  codeFields: {
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'fields of a table',
  },
  gradeHours: listOf({ gradeId: id, hours: whole(0, hoursMost), doubleCount: whole(0, hoursMost) }, [
    'gradeId',
    'hours',
  ]),
  pairs: { type: 'object', additionalProperties: true, description: 'values by names of your own' },
  questions: listOf(
    {
      label: { type: 'string', maxLength: 100 },
      kind: { type: 'string', enum: ['text', 'choice', 'choices'] },
      required: { type: 'boolean' },
      choices: { type: 'array', items: { type: 'string', maxLength: 100 } },
    },
    ['label', 'kind'],
  ),
  targets: { type: 'array', items: id },
  condition: {
    type: 'object',
    additionalProperties: true,
    description: 'conditions `{field, op, value}`, and groups of them, under `all` or `any`',
  },
  report: { type: 'object', additionalProperties: true, description: 'as `ReportContent`' },
  fieldOptions: listOf(
    {
      key: { type: 'string', maxLength: 32, description: 'given by the server; empty or left out for a new option' },
      label: { type: 'string', maxLength: optionLongest },
      labelEn: { type: 'string', maxLength: optionLongest },
      retired: { type: 'boolean' },
    },
    ['label'],
  ),
}
