/*
 * Writes iCalendar (RFC 5545): whole days and times of China, each event on its own day. Recurrence rules are not used:
 * holidays and make-up days make a rule with exceptions of every second week, which programs read differently.
 */

/** One event of a calendar. Days are `2026-09-01`, times of day `08:00`. */
export interface CalendarEvent {
  /** The same for as long as it is the same event: programs update by it. */
  readonly uid: string
  readonly day: string
  /** Absent where nobody has given bell times: then it lasts all day. */
  readonly beginTime: string | null
  readonly endTime: string | null
  readonly summary: string
  readonly location: string | null
  readonly description: string
}

export const timeZone = 'Asia/Shanghai'

/** Most octets of a line, its end not counted (RFC 5545 §3.1). */
const lineMost = 75

/** A value of type TEXT (RFC 5545 §3.3.11). */
const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    // Control signs have no place in a content line.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

/** A content line in as many lines as it needs; no sign is cut in two. */
export function folded(line: string): string {
  const lines: string[] = []
  let current = ''
  let octets = 0
  for (const sign of line) {
    const size = Buffer.byteLength(sign)
    if (octets + size > lineMost) {
      lines.push(current)
      // The space that a folded line begins with counts as well.
      current = ' '
      octets = 1
    }
    current += sign
    octets += size
  }
  return [...lines, current].join('\r\n')
}

const compactDay = (day: string): string => day.replaceAll('-', '')
const compactTime = (day: string, time: string): string => `${compactDay(day)}T${time.replace(':', '')}00`

/** An instant in UTC, as RFC 5545 §3.3.5 writes it. */
const compactInstant = (at: Date): string => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

function eventLines(event: CalendarEvent, stamp: string): string[] {
  const { day, beginTime, endTime, location } = event
  const times =
    beginTime && endTime
      ? [
          `DTSTART;TZID=${timeZone}:${compactTime(day, beginTime)}`,
          `DTEND;TZID=${timeZone}:${compactTime(day, endTime)}`,
        ]
      : // Without an end it lasts the day (§3.6.1).
        [`DTSTART;VALUE=DATE:${compactDay(day)}`]
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(event.uid)}`,
    `DTSTAMP:${stamp}`,
    ...times,
    `SUMMARY:${escaped(event.summary)}`,
    ...(location ? [`LOCATION:${escaped(location)}`] : []),
    `DESCRIPTION:${escaped(event.description)}`,
    'END:VEVENT',
  ]
}

/** A calendar as the text of an `.ics` file. `madeAt` is when it was put together. */
export function calendarText(name: string, events: readonly CalendarEvent[], madeAt: Date): string {
  const stamp = compactInstant(madeAt)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Data Brain//Timetable//ZH',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // Of RFC 7986 and, for programs that know only what was there before it, of custom.
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `X-WR-TIMEZONE:${timeZone}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    'BEGIN:STANDARD',
    'DTSTART:19920101T000000',
    'TZOFFSETFROM:+0800',
    'TZOFFSETTO:+0800',
    'TZNAME:CST',
    'END:STANDARD',
    'END:VTIMEZONE',
    ...events.flatMap((event) => eventLines(event, stamp)),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
