/** How often a subscription comes: keys of `report_every`. Those of the calendar come on the first school day of a span. */
export const everyKeys = { day: '1', week: '2', schoolWeek: '3', schoolMonth: '4', schoolTerm: '5' } as const
export const calendarKeys: readonly string[] = [everyKeys.schoolWeek, everyKeys.schoolMonth, everyKeys.schoolTerm]

/** Ways in which a file that is ready is told of: keys of `report_way`. */
export const wayKeys = { inbox: '1', mail: '2' } as const

/** Statuses: keys of `subscription_status`. */
export const subscriptionStates = { on: 1, paused: 2 } as const
