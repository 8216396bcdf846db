import { leaveapprovalrule } from '@data-brain/contract'
import { usualRoutes } from '@data-brain/contract/rules/leave'
import { dictText, useCellWords } from '../../../entity/display/index.ts'
import { EntityPage } from '../../../entity/list/index.ts'
import { leaveWords } from '../../../locales/leave.ts'
import { addWords, useT } from '../../../ui/words.ts'
import './leave.css'

addWords(leaveWords)

/** Who approves leave, as each school has it; and how it goes where a school says nothing. */
export default function LeaveRulesPage() {
  return <EntityPage entity={leaveapprovalrule} slots={{ above: <Usual /> }} />
}

function Usual() {
  const t = useT()
  const words = useCellWords(leaveapprovalrule)
  return (
    <details className="leave-usual">
      <summary>{t('leave.usual')}</summary>
      <ul>
        {usualRoutes.map(({ applicantType, minDays, maxDays, steps }) => {
          const who = dictText(words, 'applicant_type', applicantType)
          const said = steps.map((step) => dictText(words, 'leave_approver', step)).join(' → ')
          const values = { who, min: String(minDays), max: String(maxDays), steps: said }
          const key = maxDays === null ? 'leave.above' : minDays === 0 ? 'leave.upTo' : 'leave.between'
          return <li key={`${applicantType} ${minDays}`}>{t(key, values)}</li>
        })}
      </ul>
    </details>
  )
}
