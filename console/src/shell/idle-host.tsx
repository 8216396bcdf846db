import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { lockWords } from '../locales/lock.ts'
import { countdownSeconds, watchIdle } from '../session/idle.ts'
import { lockUnattended } from '../session/lock.ts'
import { Icon } from '../ui/icon.tsx'
import { addWords, useT } from '../ui/words.ts'
import './idle-host.css'

addWords(lockWords)

/** Locks the screen when nobody has been there for so many minutes, after a countdown that any key or move stops. */
export default function IdleHost({ minutes }: { minutes: number }) {
  const t = useT()
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    const watch = watchIdle(minutes, () => void lockUnattended())
    const stop = watch.left.subscribe(() => setLeft(watch.left.get()))
    setLeft(watch.left.get())
    return () => {
      stop()
      watch.stop()
    }
  }, [minutes])
  const shown = left !== null
  const ref = useRef<HTMLDivElement>(null)
  // Over an open dialog too, where the browser can.
  useLayoutEffect(() => {
    if (shown) ref.current?.showPopover?.()
  }, [shown])
  if (left === null) return null
  return (
    <div
      ref={ref}
      popover="manual"
      className="idle"
      role="alertdialog"
      aria-labelledby="idle-title"
      aria-describedby="idle-text"
    >
      <Icon name="lock" size={20} />
      <div>
        <p id="idle-title" className="idle-title">
          {t('lock.idle')}
        </p>
        <p id="idle-text">{t('lock.idleText', { count: left })}</p>
        {/* Said at the beginning and once more near the end, not every second. */}
        <p className="sr-only" role="alert">
          {t('lock.idleText', { count: left > 20 ? countdownSeconds : 20 })}
        </p>
      </div>
      <progress className="idle-left" max={countdownSeconds} value={left} aria-hidden="true" />
    </div>
  )
}
