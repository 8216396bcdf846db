/** States of a substitution: keys of the dictionary substitution_status. */
export const states = { waiting: 0, confirmed: 1, done: 2, declined: 3, cancelled: 4 } as const

/** Keys of the dictionary substitution_kind. */
export const kinds = { cover: '1', moved: '2', out: '3', room: '4' } as const

/** Whether a substitution in this state is in force, so that it changes the timetable of its day. */
export const isInForce = (status: number): boolean => status <= states.done
