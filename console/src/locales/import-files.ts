/** The endings that a person is offered to choose from, those of templates and of web pages called .xls among them. */
export const fileEndings = '.xlsx,.xls,.xlsb,.et,.ods,.csv,.txt,.tsv,.xlsm,.xltx,.xlt,.ett,.fods,.htm,.html,.xml,.fet'
