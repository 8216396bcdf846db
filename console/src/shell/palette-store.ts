import { createStore } from '../ui/store.ts'

/** Whether the search overlay is open. */
export const paletteStore = createStore(false)
export const openPalette = (): void => paletteStore.set(true)
export const closePalette = (): void => paletteStore.set(false)
