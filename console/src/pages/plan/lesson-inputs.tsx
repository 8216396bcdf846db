import { planRooms, planTeachers } from '@data-brain/contract/calls/timetable'
import { weeksText } from '@data-brain/contract/rules/weeks'
import { useMemo, useSyncExternalStore } from 'react'
import { ChoicesContext, type ControlProps, ReferenceControl } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import type { FormStore } from '../../ui/form/store.ts'

/** What of a lesson decides who and which room is free for it. */
const decisive = ['classId', 'teachClassId', 'subjectId', 'weekday', 'periodNo', 'span', 'weekType', 'weeks'] as const

/** The lesson of a form, as its choices are asked for: of what is only half typed nothing is asked. */
function askedOf(form: FormStore): string {
  const isGiven = (value: unknown): value is string | number =>
    (typeof value === 'string' && value !== '') || (typeof value === 'number' && Number.isInteger(value))
  return JSON.stringify(
    Object.fromEntries(
      decisive.flatMap((name): [string, string][] => {
        const value = form.value(name)
        if (name === 'weeks') return Array.isArray(value) && value.length > 0 ? [[name, weeksText(value)]] : []
        return isGiven(value) ? [[name, String(value)]] : []
      }),
    ),
  )
}

/** The address before `/select`, which the choices of every reference are asked for under. */
const before = ({ path }: { readonly path: string }): string => path.slice(0, path.lastIndexOf('/'))

/** Who and where of a lesson: chosen from those who teach it and those that are free, which its choices say. */
export function lessonInputs(planId: string, lessonId: string | null): NonNullable<FormParts['inputs']> {
  const inputOf = (call: { readonly path: string }) =>
    function LessonInput(props: ControlProps) {
      const { form } = props
      const asked = useSyncExternalStore(form.watchAll, () => askedOf(form))
      const choices = useMemo(
        () => ({ path: before(call), within: { id: planId, ...(lessonId ? { lessonId } : {}), ...JSON.parse(asked) } }),
        [asked],
      )
      return (
        <ChoicesContext value={choices}>
          <ReferenceControl {...props} />
        </ChoicesContext>
      )
    }
  return { teacherId: inputOf(planTeachers), classroomId: inputOf(planRooms) }
}
