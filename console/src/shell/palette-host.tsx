import { useEffect } from 'react'
import { loadIcons } from '../ui/icon.tsx'
import { useLazyOpen } from '../ui/lazy-open.ts'
import { useStore } from '../ui/store.ts'
import { closePalette, paletteStore } from './palette-store.ts'
import { fetchPages } from './routes.ts'

const load = () => import('./palette.tsx')
const quietAfter = 1500

/**
 * Where the search overlay opens: Ctrl/⌘+K anywhere. Its code is fetched once the first page has settled, and with it the
 * icons of the sidebar and the ways to the pages, for the next one.
 */
export function PaletteHost() {
  const open = useStore(paletteStore)
  const Overlay = useLazyOpen(load, open, closePalette)

  useEffect(() => {
    // Whoever counts their bytes gets it when they open it.
    if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
    const timer = setTimeout(() => void Promise.allSettled([load(), loadIcons(), fetchPages()]), quietAfter)
    return () => clearTimeout(timer)
  }, [])

  return Overlay ? <Overlay /> : null
}
