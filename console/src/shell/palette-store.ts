import { ahead } from '../ui/keys.ts'
import { createStore } from '../ui/store.ts'

/** Whether the search overlay is open. */
export const paletteStore = createStore(false)
export function openPalette(): void {
  if (!paletteStore.get()) ahead.hold?.()
  paletteStore.set(true)
}
export const closePalette = (): void => paletteStore.set(false)
