import { liveNews } from '@data-brain/contract/calls/desk'
import { openStream } from '../http/client.ts'
import { rightsStampStore } from '../session/session.ts'
import { askTasks, tasksNewsStore } from '../session/tasks.ts'
import { askUnread, newsStore, timetableNewsStore } from '../session/unread.ts'
import { followWindow, lookAtRights } from './rights.ts'

const pollEvery = 60_000
const retryFirst = 1_000
const retryMost = 60_000
const channelSeconds = 3_600
/** A whole school that hears of a notice does not ask in the same moment. */
const spread = 1_000

interface LiveEvent {
  readonly name: string
  /** Of the rights as they are while the channel is opened; told by the first event alone. */
  readonly rightsStamp?: number
}

/** The events in what has arrived, and what is left of an unfinished one. */
export function eventsOf(text: string): { events: LiveEvent[]; rest: string } {
  const blocks = text.split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block): LiveEvent[] => {
    const name = /^event: (\w+)$/m.exec(block)?.[1]
    const rightsStamp = /^data: .*"rightsStamp":"(\d+)"/m.exec(block)?.[1]
    return name ? [{ name, ...(rightsStamp ? { rightsStamp: Number(rightsStamp) } : {}) }] : []
  })
  return { events, rest }
}

/**
 * Keeps the counts of what is unread and of what waits to be decided: by the live channel, and where there is none (a proxy that lets none through, too
 * many tabs) by asking every minute. Answers how to stop.
 */
export function startNotices(): () => void {
  const stop = new AbortController()
  let live = false
  let wait = retryFirst
  let broken = false
  /** The stamp of the rights that the channel greeted with. */
  let greeted = 0
  let asking: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined

  const ask = (within: number): void => {
    asking ??= setTimeout(() => {
      asking = undefined
      newsStore.set((now) => now + 1)
      void askUnread()
    }, Math.random() * within)
  }
  let askingTasks: ReturnType<typeof setTimeout> | undefined
  const askWork = (within: number): void => {
    askingTasks ??= setTimeout(() => {
      askingTasks = undefined
      tasksNewsStore.set((now) => now + 1)
      void askTasks()
    }, Math.random() * within)
  }
  let looking: ReturnType<typeof setTimeout> | undefined
  const hear = ({ name: event, rightsStamp }: LiveEvent): void => {
    live = true
    wait = retryFirst
    if (event === 'rights') {
      looking ??= setTimeout(() => {
        looking = undefined
        void lookAtRights(true)
      }, Math.random() * spread)
      return
    }
    if (event === 'task') {
      askWork(spread)
      return
    }
    if (event === 'timetable') {
      timetableNewsStore.set((now) => now + 1)
      return
    }
    if (rightsStamp !== undefined) greeted = rightsStamp
    // What changed meanwhile was told to nobody.
    if (event === 'ready' && broken) {
      void lookAtRights(true)
      timetableNewsStore.set((now) => now + 1)
    } else compare()
    broken = false
    ask(event === 'ready' ? 0 : spread)
    if (event === 'ready') askWork(0)
  }
  // Rights that changed after they were read, and before the channel stood, were told to nobody either.
  const compare = (): void => {
    const read = rightsStampStore.get()
    if (read !== null && greeted > read) void lookAtRights(true)
  }
  const uncompare = rightsStampStore.subscribe(compare)
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const { events, rest } = eventsOf(text + decoder.decode(value, { stream: true }))
      text = rest
      for (const event of events) hear(event)
    }
  }
  const open = async (): Promise<void> => {
    try {
      const answer = await openStream(liveNews.path, { seconds: channelSeconds }, { signal: stop.signal })
      if (answer.ok && answer.body) await read(answer.body)
      else await answer.body?.cancel()
      // The server ends the channels of a session that has ended, and opens none.
      if ((answer.ok || answer.status === 401) && !stop.signal.aborted) void lookAtRights()
    } catch {
      // No answer, or one that broke off: tried again below.
    }
    live = false
    broken = true
    if (stop.signal.aborted) return
    again = setTimeout(() => void open(), wait * (0.5 + Math.random() / 2))
    wait = Math.min(retryMost, wait * 2)
  }
  const poll = setInterval(() => {
    if (live || document.visibilityState !== 'visible') return
    ask(0)
    askWork(0)
    timetableNewsStore.set((now) => now + 1)
  }, pollEvery)
  ask(0)
  askWork(0)
  void open()
  const unfollow = followWindow()
  return () => {
    stop.abort()
    unfollow()
    uncompare()
    clearTimeout(looking)
    clearTimeout(asking)
    clearTimeout(askingTasks)
    clearTimeout(again)
    clearInterval(poll)
  }
}
