import { dayBeyond, isDay, readDay } from '../rules/day.ts'
import { type Check, fault, type Reader, todayInChina, type Wire } from './parts.ts'

export const wire: Wire = () => ({ type: 'string', format: 'date' })
export const read: Reader = (value, field) => {
  const day = typeof value === 'string' ? value.trim().slice(0, 10) : ''
  if (typeof value !== 'string' || !/^.{10}( 00:00:00)?$/.test(value.trim()) || !isDay(day))
    return fault('不是有效的日期，应形如2026-09-01', 'is not a date such as 2026-09-01')
  const beyond = dayBeyond(day, field, todayInChina())
  return beyond ? { fault: beyond } : { value: day }
}
export const check: Check = (value, field) => {
  const today = todayInChina()
  const typed = readDay(String(value), { today, past: field.past ?? false, month: field.month ?? false })
  return 'fault' in typed ? typed.fault : dayBeyond(typed.day, field, today)
}
