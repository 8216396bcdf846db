import { useSyncExternalStore } from 'react'

/** 3 from 1200 px, 2 from 992, 1 from 768, else 0. */
export type ScreenClass = 0 | 1 | 2 | 3

const steps = [1200, 992, 768].map((width) => window.matchMedia(`(min-width: ${width}px)`))

export const screenClass = (): ScreenClass => steps.filter((step) => step.matches).length as ScreenClass

function subscribe(listener: () => void): () => void {
  for (const step of steps) step.addEventListener('change', listener)
  return () => {
    for (const step of steps) step.removeEventListener('change', listener)
  }
}

/** The width class of the window; no component measures the window itself. */
export const useScreenClass = (): ScreenClass => useSyncExternalStore(subscribe, screenClass)
