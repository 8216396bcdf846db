import { useEffect, useRef } from 'react'
import { useStore } from '../ui/store.ts'
import { timetableNewsStore } from './unread.ts'

/** All who look are told at the same moment, and ask within so many milliseconds. */
const within = 500

/** Has a page look again when lessons of some day have changed, whoever has changed them. */
export function useTimetableNews(look: () => void): void {
  const news = useStore(timetableNewsStore)
  const seen = useRef(news)
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    if (seen.current === news) return
    const timer = setTimeout(() => {
      seen.current = news
      latest.current()
    }, Math.random() * within)
    return () => clearTimeout(timer)
  }, [news])
}
