import type { Bundle } from '../ui/words.ts'

export const timetableRuleWords = {
  'timetableRule.always': {
    zh: '教师档案中的不可排课时间、日课时上限和学科的教研时间始终遵守，不必另设规则。停用的规则不起作用。',
    en: 'Unavailable periods and daily limits of teachers, and the research half-days of subjects, always hold and need no rule. A rule that is disabled does nothing.',
  },
} as const satisfies Bundle
