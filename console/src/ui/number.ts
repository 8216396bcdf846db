import { useLanguage } from './words.ts'

/** Writes a count with the separators of the language. */
export const useNumber = (): ((count: number) => string) => {
  const locale = useLanguage() === 'zh' ? 'zh-CN' : 'en-GB'
  return (count) => count.toLocaleString(locale)
}
