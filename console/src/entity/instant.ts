/** The zone in which moments travel: that of China, whatever the browser's own is. */
const zone = '+08:00'

/** Milliseconds of a moment as it travels, `yyyy-MM-dd HH:mm:ss`; not a number for what is none. */
export const timeOf = (moment: string): number => new Date(`${moment.replace(' ', 'T')}${zone}`).getTime()
