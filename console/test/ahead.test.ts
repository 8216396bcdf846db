import { expect, it } from 'vitest'
import { prefetch } from '../src/ui/prefetch.ts'

const sources = import.meta.glob<string>('../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })

it('what is fetched before it is wanted and cannot be had, as offline, is no error that nobody hears', () => {
  let heard = false
  const hear = () => {
    heard = true
  }
  const part = { catch: hear } as unknown as Promise<unknown>
  prefetch(() => part)
  expect(heard).toBe(true)
})

it('every part that is fetched ahead is fetched so', () => {
  const parts = (text: string, kind: RegExp) => [...text.matchAll(kind)].map(([, name]) => name)
  const handedOn = Object.values(sources).flatMap((text) => parts(text, /export const (\w+) = \(\) => import\(/g))
  expect(handedOn).toContain('loadDetail')
  const isBare = (text: string) => {
    const names = [...handedOn, ...parts(text, /const (\w+) = \(\) => import\(/g)]
    return new RegExp(`\\bvoid (${names.join('|')})\\(\\)(?!\\.)`).test(text)
  }
  expect(Object.keys(sources).filter((file) => isBare(sources[file] ?? ''))).toEqual([])
})
