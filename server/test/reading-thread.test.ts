import { describe, expect, it } from 'vitest'
import { readInThread } from '../src/kernel/reading-thread.ts'

const thread = (code: string): URL =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`)

const read = (code: string, take: (portion: unknown) => Promise<void> = async () => {}): Promise<unknown> =>
  readInThread({
    ...{ thread: thread(code), data: null, memory: 32, seconds: 1, take },
    refusal: (words) => new Error(words.en),
    tooMuch: () => new Error('too much'),
  })

describe('issue 13, C10: a thread that reads a file', () => {
  it('ISSUE-13-C10 is ended when it takes more memory than it may, and nothing else ends with it', async () => {
    await expect(read('const all = []; for (;;) all.push({ at: all.length, text: [all.length] })')).rejects.toThrow(
      'too much',
    )
  }, 60_000)

  it('ISSUE-13-C10 is ended when it works longer than it may', async () => {
    await expect(read('for (;;);')).rejects.toThrow('too much')
  }, 60_000)

  it('is given time for its own work alone: what is done with a portion does not count', async () => {
    const taken: unknown[] = []
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_200))
    const end = await read(
      `parentPort.on('message', () => { parentPort.postMessage({ kind: 'end', end: 'whole' }); parentPort.close() })
       parentPort.postMessage({ kind: 'portion', portion: [1, 2] })`,
      async (portion) => {
        taken.push(portion)
        await pause()
      },
    )
    expect({ taken, end }).toEqual({ taken: [[1, 2]], end: 'whole' })
  }, 60_000)

  it('is ended when what is done with a portion fails, and tells what is wrong with a file in words', async () => {
    await expect(
      read(`parentPort.postMessage({ kind: 'portion', portion: 1 }); setInterval(() => {}, 1_000)`, async () => {
        throw new Error('no room')
      }),
    ).rejects.toThrow('no room')
    await expect(
      read(`parentPort.postMessage({ kind: 'fault', words: { zh: '坏了', en: 'broken' } })`),
    ).rejects.toThrow('broken')
  }, 60_000)
})
