import { Icon } from '../icon.tsx'
import { useT } from '../words.ts'

/** The button that empties a select, called by what it empties: the library knows it in English only. */
export function useClearing(label: string): { label: string; clearIcon: React.ReactNode } {
  const t = useT()
  return { label: t('entity.clearOf', { label }), clearIcon: <Icon name="x" size={14} /> }
}
