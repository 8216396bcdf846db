import type { Translate } from '../../ui/words.ts'

const units = [
  ['client.days', 86_400],
  ['client.hours', 3_600],
  ['client.minutes', 60],
  ['client.seconds', 1],
] as const

/** A number of seconds as a person says it: 7 天, 1 小时 30 分钟; nothing for what is no length of time. */
export function durationText(seconds: unknown, t: Translate): string {
  let left = Number(seconds)
  if (!Number.isInteger(left) || left <= 0) return ''
  const parts = units.flatMap(([key, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [t(key, { count })] : []
  })
  return parts.join(' ')
}
