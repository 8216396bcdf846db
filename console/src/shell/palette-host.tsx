import { type ComponentType, useEffect, useState } from 'react'
import { useStore } from '../ui/store.ts'
import { logError } from './log.ts'
import { closePalette, openPalette, paletteStore } from './palette-store.ts'

const load = () => import('./palette.tsx')
const quietAfter = 1500

/** Where the search overlay opens: Ctrl/⌘+K anywhere. Its code is fetched once the first page has settled. */
export function PaletteHost() {
  const open = useStore(paletteStore)
  const [Overlay, setOverlay] = useState<ComponentType>()

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.isComposing ||
        event.code !== 'KeyK' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return
      event.preventDefault()
      if (paletteStore.get()) closePalette()
      else openPalette()
    }
    window.addEventListener('keydown', onKey)
    const timer = setTimeout(() => void load().catch(() => undefined), quietAfter)
    return () => {
      window.removeEventListener('keydown', onKey)
      clearTimeout(timer)
    }
  }, [])

  useEffect(() => {
    if (!open || Overlay) return
    load().then(
      (module) => setOverlay(() => module.default),
      (error: unknown) => {
        logError(error, 'chunk')
        closePalette()
      },
    )
  }, [open, Overlay])

  return open && Overlay ? <Overlay /> : null
}
