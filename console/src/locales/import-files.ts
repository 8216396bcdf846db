/** The kinds of files that an import reads: said here, and wherever else they are named. */
export const fileKinds = {
  zh: 'Excel（xlsx、xls、xlsb）、WPS（et）、ods、csv 或 txt',
  en: 'Excel (xlsx, xls, xlsb), WPS (et), ods, csv or txt',
} as const

/** The endings that a person is offered to choose from, those of templates and of web pages called .xls among them. */
export const fileEndings = '.xlsx,.xls,.xlsb,.et,.ods,.csv,.txt,.tsv,.xlsm,.xltx,.xlt,.ett,.fods,.htm,.html,.xml,.fet'
