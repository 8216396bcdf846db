import { isDay, readInstant } from '../rules/day.ts'
import { type Check, fault, type Reader, todayInChina, type Wire } from './parts.ts'

export const wire: Wire = () => ({ type: 'string', description: 'yyyy-MM-dd HH:mm:ss' })
export const read: Reader = (value) =>
  typeof value === 'string' &&
  isDay(value.slice(0, 10)) &&
  /^.{10}[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$/.test(value)
    ? { value }
    : fault('时间格式应为 yyyy-MM-dd HH:mm:ss', 'should look like yyyy-MM-dd HH:mm:ss')
export const check: Check = (value, { past }) => {
  const typed = readInstant(String(value), { today: todayInChina(), past: past ?? false })
  return 'fault' in typed ? typed.fault : null
}
