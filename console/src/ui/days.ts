import dayjs, { type Dayjs } from 'dayjs'
import 'dayjs/locale/zh-cn'
import { momentOf } from './instant.ts'
import { language, onLanguage } from './words.ts'

const follow = (): void => {
  dayjs.locale(language() === 'zh' ? 'zh-cn' : 'en')
}
follow()
onLanguage(follow)

// Calendars ask what day it is by this name: it is that of the school's clocks.
dayjs.extend((_, Day) => {
  Object.assign(Day.prototype, {
    tz(this: Dayjs): Dayjs {
      return dayjs(momentOf(this.valueOf()))
    },
  })
})

/** What the school's calendar and clocks say now. */
export const today = (): Dayjs => dayjs(momentOf(Date.now()))

/** The days of Ant Design's calendars, in the language shown. They come with the first calendar, not with the first list. */
export { type Dayjs, dayjs }
