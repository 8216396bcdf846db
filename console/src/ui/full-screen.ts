import { useSyncExternalStore } from 'react'

function onFullScreen(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}
const isFullScreen = (): boolean => document.fullscreenElement != null

export const useFullScreen = (): boolean => useSyncExternalStore(onFullScreen, isFullScreen)

/** Fills the screen with the console, or gives it back. A browser that will not says so itself. */
export function toggleFullScreen(): void {
  const turned = isFullScreen() ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()
  turned?.catch(() => undefined)
}
