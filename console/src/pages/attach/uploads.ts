import { putAttachment } from '@data-brain/contract/calls/attach'
import { useCallback, useEffect, useRef, useState } from 'react'
import { upload } from '../../http/upload.ts'

export interface UploadItem {
  readonly key: number
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
  /** From 0 to 1. */
  readonly part: number
  readonly failure?: string
}

export interface UploadQueue {
  readonly items: readonly UploadItem[]
  add(files: Iterable<File>): void
  cancel(key: number): void
  retry(key: number): void
  /** Takes those off the list that have ended. */
  clear(): void
}

const AT_ONCE = 2
const open: ReadonlySet<UploadItem['state']> = new Set(['waiting', 'sending'])

/** Uploads files two at a time, each with its progress and a way to stop it; `onDone` hears of each that has arrived. */
export function useUploads(onDone: () => void): UploadQueue {
  const [items, setItems] = useState<readonly UploadItem[]>([])
  const stops = useRef(new Map<number, AbortController>())
  const next = useRef(1)
  const done = useRef(onDone)
  done.current = onDone

  const change = useCallback((key: number, patch: Partial<UploadItem>) => {
    setItems((list) => list.map((item) => (item.key === key ? { ...item, ...patch } : item)))
  }, [])

  useEffect(() => {
    const free = AT_ONCE - stops.current.size
    for (const { key, file } of items
      .filter(({ key, state }) => state === 'waiting' && !stops.current.has(key))
      .slice(0, Math.max(0, free))) {
      const stop = new AbortController()
      stops.current.set(key, stop)
      change(key, { state: 'sending', part: 0 })
      upload(putAttachment, file, { signal: stop.signal, progress: (part) => change(key, { part }) })
        .then(
          () => {
            change(key, { state: 'done', part: 1 })
            done.current()
          },
          (problem: unknown) =>
            change(
              key,
              stop.signal.aborted
                ? { state: 'cancelled' }
                : { state: 'failed', failure: problem instanceof Error ? problem.message : String(problem) },
            ),
        )
        .finally(() => {
          stops.current.delete(key)
          // The next one waits for a change of the list.
          setItems((list) => [...list])
        })
    }
  }, [items, change])
  useEffect(() => {
    const running = stops.current
    return () => {
      for (const stop of running.values()) stop.abort()
    }
  }, [])

  return {
    items,
    add: useCallback((files) => {
      const added = [...files].map((file): UploadItem => {
        next.current += 1
        return { key: next.current, file, state: 'waiting', part: 0 }
      })
      setItems((list) => [...list, ...added])
    }, []),
    cancel: useCallback(
      (key) => {
        const stop = stops.current.get(key)
        if (stop) stop.abort()
        else change(key, { state: 'cancelled' })
      },
      [change],
    ),
    retry: useCallback(
      (key) =>
        setItems((list) =>
          list.map((item) => (item.key === key ? { key, file: item.file, state: 'waiting', part: 0 } : item)),
        ),
      [],
    ),
    clear: useCallback(() => setItems((list) => list.filter((item) => open.has(item.state))), []),
  }
}
