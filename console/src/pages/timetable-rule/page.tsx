import { schoolsemester, timetablerule } from '@data-brain/contract'
import type { WeekSlot } from '@data-brain/contract/rules/slots'
import { ruleSentence } from '@data-brain/contract/rules/timetable-rule'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { type ShownRow, useEntity } from '../../entity/data/index.ts'
import { type Cells, EntityPage } from '../../entity/list/index.ts'
import { carryOverWords } from '../../locales/carry-over.ts'
import { timetableRuleWords } from '../../locales/timetable-rule.ts'
import { useCan } from '../../session/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import './page.css'

addWords({ ...timetableRuleWords, ...carryOverWords })

const CarryOver = lazyPart(() => import('../carry-over/dialog.tsx'))

type Rule = ShownRow<typeof timetablerule>

/** The names of those that a rule is about; whoever may not see them has none. */
const namesOf = (names: unknown): string[] => (Array.isArray(names) ? names.map(String) : [])

const sentenceOf = (rule: Rule, language: 'zh' | 'en'): string =>
  ruleSentence(
    {
      ...{ kind: rule.kind, whose: rule.whose, half: rule.half, max: rule.max, gap: rule.gap },
      ...{ slots: rule.slots as readonly WeekSlot[] | null, strength: rule.strength },
      ...{ teachers: namesOf(rule.teacherNames), grades: namesOf(rule.gradeNames) },
      ...{ classes: namesOf(rule.classNames), teachClasses: namesOf(rule.teachClassNames) },
      subjects: namesOf(rule.subjectNames),
    },
    language,
  )

const cells: Cells<typeof timetablerule> = {
  kind: (rule, { language }) => sentenceOf(rule, language),
}

/** So many schools are looked at together at most: of a whole district the rules of every semester are listed. */
const schoolsMost = 10

/** Opens the list on the semesters that are current: the rules of two semesters look alike. Once, so that all can be asked for. */
function useCurrentSemesters(): void {
  const { query } = usePlace()
  const isBare = query.size === 0
  const done = useRef(!isBare)
  const { list } = useEntity(schoolsemester)
  const found = useQuery({ ...list({ isCurrent: 1, current: 1, size: schoolsMost }), enabled: !done.current })
  useEffect(() => {
    if (done.current || !found.data) return
    done.current = true
    const { records, total = records.length } = found.data
    if (isBare && total > 0 && total <= schoolsMost) setQuery({ semesterId: records.map(({ id }) => id).join() })
  }, [found.data, isBare])
}

/** What the generator keeps, each rule as a sentence. */
export default function TimetableRulesPage() {
  const t = useT()
  const can = useCan()
  const { query } = usePlace()
  const [carrying, setCarrying] = useState(false)
  useCurrentSemesters()
  const asked = query.get('semesterId')
  const toolbar = can('timetablerule_add') && (
    <button type="button" className="button" onClick={() => setCarrying(true)}>
      {t('carryOver.rules')}
    </button>
  )
  return (
    <>
      <EntityPage
        entity={timetablerule}
        cells={cells}
        slots={{ toolbar, above: <p className="rule-note muted">{t('timetableRule.always')}</p> }}
      />
      {carrying && (
        <Suspense fallback={null}>
          <CarryOver
            of="rules"
            semesterId={asked && !asked.includes(',') ? asked : null}
            onClose={() => setCarrying(false)}
          />
        </Suspense>
      )}
    </>
  )
}
