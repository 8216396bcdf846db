const numbers = '一二三四五六七八九'

/** A name of a class with its Chinese numbers as digits. */
const counted = (name: string): string =>
  [...name].map((sign) => (numbers.includes(sign) ? numbers.indexOf(sign) + 1 : sign)).join('')

/** Which of two classes comes first by grade and number, as schools write their names: 八年级（2）班 before 八年级（10）班. */
export const compareClassNames = (a: string, b: string): number =>
  counted(a).localeCompare(counted(b), 'zh', { numeric: true })
