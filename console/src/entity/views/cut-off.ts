import { type RefObject, useLayoutEffect, useState } from 'react'
import { useScreenClass } from '../../ui/screen.ts'

/**
 * Keeps the view in force in sight in the row of views, and tells the keys of those that are not wholly so: a menu beside
 * the row offers them. None on a phone, where a finger moves the row. `drawn` changes with whatever takes room in the row.
 */
export function useCutOff(row: RefObject<HTMLElement | null>, shown: string, drawn: string): readonly string[] {
  const screen = useScreenClass()
  const [cut, setCut] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: other names take other room
  useLayoutEffect(() => {
    const box = row.current
    if (!box) return
    const look = () => {
      if (screen === 0) return setCut('')
      const [from, to] = [box.scrollLeft, box.scrollLeft + box.clientWidth]
      const views = [...box.querySelectorAll<HTMLElement>('[data-view]')]
      const out = views.filter(({ parentElement: view }) => {
        const { offsetLeft, offsetWidth } = view!
        return offsetLeft < from - 1 || offsetLeft + offsetWidth > to + 1
      })
      setCut(out.map((view) => view.dataset.view!).join())
    }
    const fit = () => {
      const view = box.querySelector<HTMLElement>(`[data-view="${CSS.escape(shown)}"]`)?.parentElement
      const end = view ? view.offsetLeft + view.offsetWidth : 0
      if (view && (view.offsetLeft < box.scrollLeft || end > box.scrollLeft + box.clientWidth))
        box.scrollLeft = view.offsetLeft - 24
      look()
    }
    fit()
    const watch = new ResizeObserver(fit)
    watch.observe(box)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [row, screen, shown, drawn])
  return cut === '' ? [] : cut.split(',')
}
