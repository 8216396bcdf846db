/** What somebody says of a subscription: when it comes, how, and in which language. */
export const scheduleFields = ['every', 'weekday', 'calendarId', 'hour', 'format', 'way', 'fileLanguage'] as const
