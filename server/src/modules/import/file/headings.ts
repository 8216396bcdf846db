import { Problem } from '../../../kernel/problem.ts'
import { readInThread } from '../../../kernel/reading-thread.ts'
import { threadOf } from '../../../kernel/thread.ts'

/** What a file may take, to be read as far as its headings. */
const limits = { memory: 256, seconds: 20 }

/**
 * The headings of the first sheet of a spreadsheet: the first row in which two cells are filled. A file that cannot be
 * read, or has none, is a Problem in words.
 */
export const headingsOf = (path: string): Promise<string[]> =>
  readInThread<never, string[]>({
    thread: threadOf('worker-headings', import.meta.url),
    data: path,
    ...limits,
    take: async () => {},
    refusal: (reason) => new Problem('rule_broken', { reason }),
    tooMuch: () =>
      new Problem('rule_broken', {
        reason: { zh: '文件过大或过于复杂', en: 'The file is too large or complex' },
      }),
  })
