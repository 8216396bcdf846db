import dayjs, { type Dayjs } from 'dayjs'
import 'dayjs/locale/zh-cn'
import { language, onLanguage } from './words.ts'

const follow = (): void => {
  dayjs.locale(language() === 'zh' ? 'zh-cn' : 'en')
}
follow()
onLanguage(follow)

/** The days of Ant Design's calendars, in the language shown. They come with the first calendar, not with the first list. */
export { type Dayjs, dayjs }
