import { workWords } from '../locales/work.ts'
import { type Work, workAs } from '../session/working-as.ts'
import { askConfirmation } from '../ui/confirm.tsx'
import { addWords, translate } from '../ui/words.ts'
import { readAnew } from './after-switch.ts'
import { dirtyAmong, tabStore } from './tabs.ts'

addWords(workWords)

/**
 * Works as another department and role, without loading the page anew; asks first where something is not saved. Answers
 * whether it was done. Throws `HttpProblem` where the server refuses.
 */
export async function switchWork(work: Work): Promise<boolean> {
  if (dirtyAmong(tabStore.get().list.map((tab) => tab.value)).length > 0) {
    const sure = await askConfirmation({
      title: translate('work.dirty'),
      body: translate('work.dirtyText'),
      okText: translate('work.switch'),
    })
    if (!sure) return false
  }
  await workAs(work)
  readAnew()
  return true
}
