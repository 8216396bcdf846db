/** Where a report is changed, or with `new` made. */
export const editorOf = (id: string): string => `/report/edit/${id}`
/** Where a report is run. */
export const resultOf = (id: string): string => `/report/result/${id}`
