import { liveNews } from '@data-brain/contract/calls/desk'
import { openStream } from '../http/client.ts'
import { askUnread, newsStore } from '../session/unread.ts'
import { followWindow, lookAtRights } from './rights.ts'

const pollEvery = 60_000
const retryFirst = 1_000
const retryMost = 60_000
const channelSeconds = 3_600
/** A whole school that hears of a notice does not ask in the same moment. */
const spread = 1_000

/** Names of the events in what has arrived, and what is left of an unfinished one. */
export function eventsOf(text: string): { events: string[]; rest: string } {
  const blocks = text.split('\n\n')
  const rest = blocks.pop() ?? ''
  return { events: blocks.flatMap((block) => /^event: (\w+)$/m.exec(block)?.[1] ?? []), rest }
}

/**
 * Keeps the count of what is unread: by the live channel, and where there is none (a proxy that lets none through, too
 * many tabs) by asking every minute. Answers how to stop.
 */
export function startNotices(): () => void {
  const stop = new AbortController()
  let live = false
  let wait = retryFirst
  let broken = false
  let asking: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined

  const ask = (within: number): void => {
    asking ??= setTimeout(() => {
      asking = undefined
      newsStore.set((now) => now + 1)
      void askUnread()
    }, Math.random() * within)
  }
  let looking: ReturnType<typeof setTimeout> | undefined
  const hear = (event: string): void => {
    live = true
    wait = retryFirst
    if (event === 'rights') {
      looking ??= setTimeout(() => {
        looking = undefined
        void lookAtRights(true)
      }, Math.random() * spread)
      return
    }
    // What changed meanwhile was told to nobody.
    if (event === 'ready' && broken) void lookAtRights(true)
    broken = false
    ask(event === 'ready' ? 0 : spread)
  }
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
    if (!live && document.visibilityState === 'visible') ask(0)
  }, pollEvery)
  ask(0)
  void open()
  const unfollow = followWindow()
  return () => {
    stop.abort()
    unfollow()
    clearTimeout(looking)
    clearTimeout(asking)
    clearTimeout(again)
    clearInterval(poll)
  }
}
