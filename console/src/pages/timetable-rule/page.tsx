import { timetablerule } from '@data-brain/contract'
import type { WeekSlot } from '@data-brain/contract/rules/slots'
import { ruleSentence } from '@data-brain/contract/rules/timetable-rule'
import type { ShownRow } from '../../entity/data/index.ts'
import { type Cells, EntityPage } from '../../entity/list/index.ts'
import { timetableRuleWords } from '../../locales/timetable-rule.ts'
import { addWords, useT } from '../../ui/words.ts'
import './page.css'

addWords(timetableRuleWords)

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

/** What the generator keeps, each rule as a sentence. */
export default function TimetableRulesPage() {
  const t = useT()
  return (
    <EntityPage
      entity={timetablerule}
      cells={cells}
      slots={{ above: <p className="rule-note muted">{t('timetableRule.always')}</p> }}
    />
  )
}
