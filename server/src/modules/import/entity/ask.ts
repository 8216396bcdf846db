import type { EntityForm } from '@data-brain/contract/import/entity-form'
import type { Context } from '../../../entity/repository.ts'
import type { Batch } from '../batch/batch.ts'
import type { CellQuestion, Option } from '../batch/form.ts'
import { classesAsked } from '../student/classes.ts'
import { lessonKey } from '../timetable/derive.ts'
import { correctedCells } from '../timetable/similar-names.ts'
import { findUser } from './directory.ts'
import { headKey } from './items.ts'
import { benchOf } from './judge.ts'
import type { Entry } from './name-index.ts'

/** What can be said of the cells of an entity's file that could not be read. */
export async function optionsFor(form: EntityForm, context: Context, batch: Batch): Promise<CellQuestion> {
  const { directory, model, columns } = await benchOf(form, context, batch)
  const entries = (list: readonly Entry[]): Option[] =>
    list.map(({ id, title, beside }) => ({ value: `=${id}`, label: beside ? `${title}（${beside}）` : title }))
  const target = (key: string): string | undefined =>
    /^(taught|headed)\./.test(key) ? 'user' : model.byName.get(key.split('.')[1] ?? '')?.to
  // Without a school year there is nothing that a class could be made in.
  const none = { made: () => undefined, plan: () => undefined }
  const { made, plan } = batch.settings.yearId ? classesAsked(directory.places) : none
  return {
    isWord: (key) => target(key) !== undefined || key.startsWith('ref.'),
    made,
    plan,
    options: (key, text) => {
      if (key === lessonKey)
        return correctedCells(
          text,
          [...directory.subjects.entries, ...directory.users.entries].map(({ title }) => title),
        ).map((value) => ({ value, label: value }))
      const to = target(key)
      if (to === 'user' || key === headKey) {
        const meant = findUser(directory, text)
        return entries('among' in meant && meant.among ? meant.among : directory.users.entries.slice(0, 1_000))
      }
      if (to === 'schoolclass')
        return [
          ...directory.places.classes.map(({ id, name }) => ({ value: `=${id}`, label: name })),
          ...(form.kind === 'teacherclass' || form.kind === 'classschedule' ? entries(directory.teaching.entries) : []),
        ]
      if (to === 'schoolsubject') return entries(directory.subjects.entries)
      if (to === 'schoolcampus')
        return entries(directory.campuses.entries).map(({ label }) => ({ value: label, label }))
      if (to === 'schoolclassroom') return entries(directory.rooms.entries)
      if (to === 'sysgrade' || key === 'ref.grade')
        return directory.places.offered.map(({ name }) => ({ value: name, label: name }))
      const others = directory.referred.get(to ?? '')
      if (others) return entries(others.entries)
      const dict = columns.some((column) => column.key === key)
        ? model.byName.get(key.split('.')[1] ?? '')?.dict
        : undefined
      return (directory.offers.get(dict ?? '') ?? []).map((offer) => ({
        value: offer.zh,
        label: context.circumstance.language === 'en' ? offer.en : offer.zh,
      }))
    },
  }
}
