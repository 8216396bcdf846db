/*
 * Every moment that the console shows is told by the school's clocks, which are those of China, whatever the zone of the
 * browser is: the server sends moments so, and what is read here must agree with what a list beside it says.
 */

/** The zone by name, for words about a day that the browser's own formatter knows. */
export const zone = 'Asia/Shanghai'
/** China has one zone, and no summer time. */
const aheadMs = 8 * 3_600_000

/** Milliseconds of a moment as it travels, `yyyy-MM-dd HH:mm:ss`; not a number for what is none. */
export const timeOf = (moment: string): number => new Date(`${moment.replace(' ', 'T')}+08:00`).getTime()

/** A moment as it travels: `yyyy-MM-dd HH:mm:ss`. */
export const momentOf = (at: number): string => new Date(at + aheadMs).toISOString().slice(0, 19).replace('T', ' ')

/** A moment to the minute, as lists show it: `yyyy-MM-dd HH:mm`. */
export const minuteOf = (at: number): string => momentOf(at).slice(0, 16)

/** The time of day of a moment, `HH:mm`. */
export const clockOf = (at: number): string => momentOf(at).slice(11, 16)
